import { openSecret, type SecretKey } from './seal-secret.js';

/** What of a channel is sealed at rest. */
export interface ChannelSecrets {
  /** Keys of its provider, in the order of their use. */
  readonly apiKeys: readonly string[];
  /** The settings that its provider calls secret. */
  readonly settings: Readonly<Record<string, unknown>>;
}

export const NO_CHANNEL_SECRETS: ChannelSecrets = Object.freeze({ apiKeys: [], settings: {} });

/** The JSON that earlier versions sealed. A list of keys alone is how channels without secret settings used to be sealed. */
type SealedForm = string[] | { keys: string[]; settings: Record<string, unknown> };

/**
 * Opens a channel's secrets that an earlier version sealed as a whole.
 *
 * @throws SecretError when they were sealed with another key, for another channel, or were altered.
 */
export function openChannelSecrets(sealedText: string, channelId: string, key: SecretKey): ChannelSecrets {
  const form = JSON.parse(openSecret(sealedText, channelId, key)) as SealedForm;
  return Array.isArray(form)
    ? { apiKeys: form, settings: {} }
    : { apiKeys: form.keys, settings: form.settings };
}
