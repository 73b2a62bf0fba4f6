import { openSecret, sealSecret, type SecretKey } from './seal-secret.js';

/** Seals a channel's provider keys, in their order, for `channel_secret.sealed_keys`. */
export function sealApiKeys(apiKeys: readonly string[], channelId: string, key: SecretKey): string {
  return sealSecret(JSON.stringify(apiKeys), channelId, key);
}

/**
 * Opens a channel's provider keys.
 *
 * @throws SecretError when they were sealed with another key, for another channel, or were altered.
 */
export function openApiKeys(sealedKeys: string, channelId: string, key: SecretKey): string[] {
  return JSON.parse(openSecret(sealedKeys, channelId, key)) as string[];
}
