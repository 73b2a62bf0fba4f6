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
): ChannelSecrets {
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
  const apiKeys = [...keyLists.keys()].toSorted().flatMap((part) => keyLists.get(part) ?? []);
  return { apiKeys, settings: Object.fromEntries(settings) };
}

function toPlace(channelId: string, part: string): string {
  return `${channelId}/${part}`;
}
