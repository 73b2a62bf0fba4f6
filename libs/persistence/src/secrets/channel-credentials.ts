import type { ChannelCredentialRow } from '../entities/channel.js';
import { type ChannelSecrets, NO_CHANNEL_SECRETS, openChannelSecrets } from './open-channel-secrets.js';
import { fingerprintSecret, openSecret, sealSecret, type SecretKey } from './seal-secret.js';

/** The part of a channel's credentials that its provider's first key is, or several that were given as one list. */
export const API_KEYS = 'api_keys';
/** What the part of each further key begins with. */
const FURTHER_KEY = `${API_KEYS}.`;
const SETTING = 'settings.';

/** An encrypted part of a channel's credentials. */
export type SealedCredential = Readonly<
  Pick<ChannelCredentialRow, 'part' | 'sealed' | 'fingerprint' | 'removed'>
>;

/** The part that a secret setting is. */
export function toSettingPart(name: string): string {
  return `${SETTING}${name}`;
}

/** The part that a further key is, a list of this one key. Ids that are made later come later in the order of use. */
export function toKeyPart(id: string): string {
  return `${FURTHER_KEY}${id}`;
}

/** The id of the further key that a part is. */
export function findKeyId(part: string): string | undefined {
  return part.startsWith(FURTHER_KEY) ? part.slice(FURTHER_KEY.length) : undefined;
}

/** What the key is called that a channel was given first. */
export const MAIN_KEY = 'main';

/**
 * What the keys of one part are known by among all of a channel: `main` for the first key, its id for a further one, and
 * `main.0`, `main.1`, ... for several that were given as one list.
 */
export function listKeyRefs(part: string, count: number): string[] {
  const name = findKeyId(part) ?? MAIN_KEY;
  return count === 1 ? [name] : Array.from({ length: count }, (_, place) => `${name}.${place}`);
}

/** The name of the secret setting that a part is, or `undefined` for keys. */
export function findSettingName(part: string): string | undefined {
  return part.startsWith(SETTING) ? part.slice(SETTING.length) : undefined;
}

/** Seals one part. A sealed part that is copied to another place does not open. */
export function sealCredential(
  part: string,
  value: unknown,
  channelId: string,
  key: SecretKey,
): SealedCredential {
  const text = JSON.stringify(value);
  const place = toPlace(channelId, part);
  return {
    part,
    sealed: sealSecret(text, place, key),
    fingerprint: fingerprintSecret(text, place, key),
    removed: false,
  };
}

/** Whether a stored part is this value, without opening it. */
export function holdsCredential(
  { part, fingerprint }: Pick<SealedCredential, 'part' | 'fingerprint'>,
  value: unknown,
  channelId: string,
  key: SecretKey,
): boolean {
  return fingerprint === fingerprintSecret(JSON.stringify(value), toPlace(channelId, part), key);
}

/** Encrypts a part with the current key. @throws SecretError when it cannot be opened. */
export function reencryptCredential(
  { part, sealed }: Pick<SealedCredential, 'part' | 'sealed'>,
  channelId: string,
  key: SecretKey,
): SealedCredential {
  return sealCredential(part, JSON.parse(openSecret(sealed, toPlace(channelId, part), key)), channelId, key);
}

/** What stands in the place of a part that was taken away. */
export function removeCredential(part: string): SealedCredential {
  return { part, sealed: '', fingerprint: '', removed: true };
}

/** Seals all of a channel's credentials, part by part. */
export function sealAllCredentials(
  secrets: ChannelSecrets,
  channelId: string,
  key: SecretKey,
): SealedCredential[] {
  const settings = Object.entries(secrets.settings);
  return [
    sealCredential(API_KEYS, secrets.apiKeys, channelId, key),
    ...settings.map(([name, value]) => sealCredential(toSettingPart(name), value, channelId, key)),
  ];
}

/** A channel's credentials, opened. */
export interface OpenedCredentials extends ChannelSecrets {
  /** What each of its keys is known by, in their order. */
  readonly keyRefs: readonly string[];
}

/**
 * Opens a channel's credentials: what was sealed as a whole once, and over it the parts.
 *
 * @throws SecretError when one was sealed with another key or for another place, or was altered.
 */
export function openCredentials(
  sealedWhole: string | null,
  parts: readonly Pick<SealedCredential, 'part' | 'sealed' | 'removed'>[],
  channelId: string,
  key: SecretKey,
): OpenedCredentials {
  const whole = sealedWhole === null ? NO_CHANNEL_SECRETS : openChannelSecrets(sealedWhole, channelId, key);
  const keyLists = new Map([[API_KEYS, whole.apiKeys]]);
  const settings = new Map(Object.entries(whole.settings));
  for (const { part, sealed, removed } of parts) {
    const value: unknown = removed
      ? undefined
      : JSON.parse(openSecret(sealed, toPlace(channelId, part), key));
    const name = findSettingName(part);
    if (name === undefined) keyLists.set(part, (value ?? []) as readonly string[]);
    else if (value === undefined) settings.delete(name);
    else settings.set(name, value);
  }
  const lists = [...keyLists].toSorted(([left], [right]) => (left < right ? -1 : 1));
  return {
    apiKeys: lists.flatMap(([, keys]) => keys),
    keyRefs: lists.flatMap(([part, keys]) => listKeyRefs(part, keys.length)),
    settings: Object.fromEntries(settings),
  };
}

function toPlace(channelId: string, part: string): string {
  return `${channelId}/${part}`;
}
