import { toKeyHint } from '@mg/contract';
import {
  API_KEYS,
  type ConsoleStore,
  findSettingName,
  isFingerprintOf,
  type KnownCredential,
  removeCredential,
  sealCredential,
  type SealedCredential,
  type SecretKey,
  toSettingPart,
} from '@mg/persistence/console';
import type { SecretSettings } from './secret-settings.js';

/** All that is ever shown of a channel's credentials. */
export interface ShownSecrets {
  readonly keyHints: readonly string[];
  /** Names of the secret settings that are set. */
  readonly settingNames: readonly string[];
}

export interface SecretChange {
  readonly apiKeys?: readonly string[] | undefined;
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
   * announced for nothing. Answers whether anything was.
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
    if (changed.length === 0) return false;
    await store.channels.saveCredentials(channelId, changed, (change.apiKeys ?? []).map(toKeyHint));
    return true;
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
        const keyHints = stored.find((row) => row.part === API_KEYS)?.hints ?? oldHints.get(id);
        if (keyHints === undefined && stored.length === 0) return [];
        return [[id, { keyHints: keyHints ?? [], settingNames: this.#listNames(stored) }] as const];
      }),
    );
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

function isStored(wanted: SealedCredential, stored: readonly KnownCredential[]): boolean {
  return stored.some(
    ({ part, fingerprint, removed }) =>
      part === wanted.part && fingerprint === wanted.fingerprint && removed === wanted.removed,
  );
}
