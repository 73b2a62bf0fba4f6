import { newId, toKeyHint } from '@mg/contract';
import {
  API_KEYS,
  type ChannelRow,
  type ConsoleStore,
  findKeyId,
  findSettingName,
  holdsCredential,
  isFingerprintOf,
  type KnownCredential,
  listKeyRefs,
  MAIN_KEY,
  removeCredential,
  sealCredential,
  type SealedCredential,
  type SecretKey,
  toKeyPart,
  toSettingPart,
} from '@mg/persistence/console';
import type { SecretSettings } from './secret-settings.js';

/** A key as it is shown. */
export interface ShownKey {
  /** `MAIN_KEY`, or that of a further key; `null` for one of several that were given as one list. */
  readonly id: string | null;
  /** What it is disabled by; of every key. */
  readonly ref: string;
  readonly hint: string;
}

/** All that is ever shown of a channel's credentials. */
export interface ShownSecrets {
  /** In the order of their use. */
  readonly keys: readonly ShownKey[];
  /** Names of the secret settings that are set. */
  readonly settingNames: readonly string[];
}

export interface SecretChange {
  /** In place of all keys; the same as are stored leave further ones alone. */
  readonly apiKeys?: readonly string[] | undefined;
  /** Calls go to another address from now on, which no key follows that was not given along. */
  readonly isMoved?: boolean | undefined;
  /** All of the channel's secret settings. */
  readonly settings?: SecretSettings | undefined;
}

/**
 * The credentials of channels, keys and secret settings, sealed with the console's ENCRYPTION_KEY. The console writes them
 * and never reads one back: it knows by a fingerprint whether a value is stored already.
 */
export class ChannelKeys {
  constructor(private readonly secretKey: SecretKey) {}

  /**
   * Stores what the change names and keeps the rest. What is stored already is not written, so that nothing is
   * announced for nothing. Other keys than before are enabled. Answers whether anything was.
   *
   * @param known - the channel's credentials, where the caller has read them.
   */
  async save(
    store: ConsoleStore,
    channelId: string,
    change: SecretChange,
    known?: readonly KnownCredential[],
  ): Promise<boolean> {
    const stored = known ?? (await store.channels.listCredentials([channelId]));
    const wanted = [...this.#sealKeys(channelId, change), ...this.#sealSettings(channelId, change, stored)];
    const changed = wanted.filter((credential) => !isStored(credential, stored));
    const dropped = findReplaced(changed, change, stored);
    if (dropped.length > 0) await store.channels.deleteCredentials(channelId, dropped);
    if (changed.some(({ part }) => part === API_KEYS)) await store.channels.enableAllKeys(channelId);
    if (changed.length === 0) return dropped.length > 0;
    await store.channels.saveCredentials(channelId, changed, (change.apiKeys ?? []).map(toKeyHint));
    return true;
  }

  /** Adds a key to those that a channel has. Answers `false` where it has it already. */
  async add(store: ConsoleStore, channelId: string, apiKey: string): Promise<boolean> {
    const stored = await store.channels.listCredentials([channelId]);
    const isKnown = stored.some((row) => holdsCredential(row, [apiKey], channelId, this.secretKey));
    if (isKnown) return false;
    const added = sealCredential(toKeyPart(newId()), [apiKey], channelId, this.secretKey);
    await store.channels.saveCredentials(channelId, [added], [toKeyHint(apiKey)]);
    return true;
  }

  /** Forgets one key. @param id of a key that the channel has. */
  async remove(store: ConsoleStore, channelId: string, id: string): Promise<void> {
    // A row of the first key hides what an earlier version may have stored, so that it stays.
    if (id === MAIN_KEY) await store.channels.saveCredentials(channelId, [removeCredential(API_KEYS)], []);
    else await store.channels.deleteCredentials(channelId, [toKeyPart(id)]);
  }

  /** Names of the secret settings that a channel has. Those that were sealed with another ENCRYPTION_KEY count as none. */
  async listSettingNames(store: ConsoleStore, channelId: string): Promise<readonly string[]> {
    return this.#listNames(await store.channels.listCredentials([channelId]));
  }

  /**
   * What may be shown, by channel id; channels without credentials are left out.
   *
   * @param known - the channels' credentials, where the caller has read them.
   */
  async describe(
    store: ConsoleStore,
    channelIds: readonly string[],
    known?: readonly KnownCredential[],
  ): Promise<ReadonlyMap<string, ShownSecrets>> {
    const oldHints = await store.channels.findLegacyHints(channelIds);
    const credentials = known ?? (await store.channels.listCredentials(channelIds));
    const byChannel = Map.groupBy(credentials, (row) => row.channelId);
    return new Map(
      channelIds.flatMap((id) => {
        const stored = byChannel.get(id) ?? [];
        const old = oldHints.get(id);
        if (old === undefined && stored.length === 0) return [];
        return [[id, { keys: listKeys(stored, old), settingNames: this.#listNames(stored) }] as const];
      }),
    );
  }

  /** Ids of the channels that have keys, all of them disabled: no call goes there. */
  async findKeyless(store: ConsoleStore, channels: readonly ChannelRow[]): Promise<ReadonlySet<string>> {
    const marked = channels.filter(({ disabledKeys }) => disabledKeys.length > 0);
    const shown = await this.describe(
      store,
      marked.map(({ id }) => id),
    );
    const isKeyless = ({ id, disabledKeys }: ChannelRow) => {
      const keys = shown.get(id)?.keys ?? [];
      return keys.length > 0 && keys.every(({ ref }) => disabledKeys.includes(ref));
    };
    return new Set(marked.filter(isKeyless).map(({ id }) => id));
  }

  #sealKeys(channelId: string, { apiKeys }: SecretChange): SealedCredential[] {
    return apiKeys === undefined ? [] : [sealCredential(API_KEYS, apiKeys, channelId, this.secretKey)];
  }

  /** The settings that are given, and the absence of those that are neither given nor kept. */
  #sealSettings(
    channelId: string,
    { settings }: SecretChange,
    stored: readonly KnownCredential[],
  ): SealedCredential[] {
    if (settings === undefined) return [];
    const given = Object.entries(settings.given);
    const staying = new Set([...given.map(([name]) => name), ...settings.kept]);
    const gone = stored.filter(({ part }) => {
      const name = findSettingName(part);
      return name !== undefined && !staying.has(name);
    });
    return [
      ...given.map(([name, value]) => sealCredential(toSettingPart(name), value, channelId, this.secretKey)),
      ...gone.map(({ part }) => removeCredential(part)),
    ];
  }

  #listNames(stored: readonly KnownCredential[]): string[] {
    return stored
      .filter((row) => !row.removed && isFingerprintOf(row.fingerprint, this.secretKey))
      .flatMap((row) => findSettingName(row.part) ?? [])
      .toSorted();
  }
}

/** The keys that are disabled once one of them is enabled or disabled. */
export function markKey(disabled: readonly string[], ref: string, enabled: boolean): string[] {
  const others = disabled.filter((one) => one !== ref);
  return enabled ? others : [...others, ref];
}

/** Keys in the order of their use. @param old hints of what an earlier version stored. */
function listKeys(stored: readonly KnownCredential[], old: readonly string[] | undefined): ShownKey[] {
  const hints = stored.find(({ part }) => part === API_KEYS)?.hints ?? old ?? [];
  const refs = listKeyRefs(API_KEYS, hints.length);
  const first = hints.map((hint, place) => ({
    id: hints.length === 1 ? MAIN_KEY : null,
    ref: refs[place] ?? '',
    hint,
  }));
  const further = stored
    .toSorted((left, right) => (left.part < right.part ? -1 : 1))
    .flatMap(({ part, hints: [hint] }) => {
      const id = findKeyId(part);
      return id === undefined || hint === undefined ? [] : [{ id, ref: id, hint }];
    });
  return [...first, ...further];
}

/** The parts of further keys that a change takes the place of. */
function findReplaced(
  changed: readonly SealedCredential[],
  { apiKeys, isMoved }: SecretChange,
  stored: readonly KnownCredential[],
): string[] {
  const hasOthers = changed.some(({ part }) => part === API_KEYS);
  if (apiKeys === undefined || (!hasOthers && isMoved !== true)) return [];
  return stored.map(({ part }) => part).filter((part) => findKeyId(part) !== undefined);
}

function isStored(wanted: SealedCredential, stored: readonly KnownCredential[]): boolean {
  return stored.some(
    ({ part, fingerprint, removed }) =>
      part === wanted.part && fingerprint === wanted.fingerprint && removed === wanted.removed,
  );
}
