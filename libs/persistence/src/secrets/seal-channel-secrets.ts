import { openSecret, sealSecret, type SecretKey } from './seal-secret.js';

/** What of a channel is sealed at rest. */
export interface ChannelSecrets {
  /** Keys of its provider, in the order of their use. */
  readonly apiKeys: readonly string[];
  /** The settings that its provider calls secret. */
  readonly settings: Readonly<Record<string, unknown>>;
}

export const NO_CHANNEL_SECRETS: ChannelSecrets = Object.freeze({ apiKeys: [], settings: {} });

/** The sealed JSON. A list of keys alone is how channels without secret settings used to be sealed. */
type SealedForm = string[] | { keys: string[]; settings: Record<string, unknown> };

/** Seals a channel's secrets for `channel_secret.sealed_keys`. */
export function sealChannelSecrets(secrets: ChannelSecrets, channelId: string, key: SecretKey): string {
  const form = { keys: secrets.apiKeys, settings: secrets.settings };
  return sealSecret(JSON.stringify(form), channelId, key);
}

/**
 * Opens a channel's secrets.
 *
 * @throws SecretError when they were sealed with another key, for another channel, or were altered.
 */
export function openChannelSecrets(sealedText: string, channelId: string, key: SecretKey): ChannelSecrets {
  const form = JSON.parse(openSecret(sealedText, channelId, key)) as SealedForm;
  return Array.isArray(form)
    ? { apiKeys: form, settings: {} }
    : { apiKeys: form.keys, settings: form.settings };
}
