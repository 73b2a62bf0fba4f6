import { type ConsoleStore, openApiKeys, sealApiKeys, SecretError, type SecretKey } from '@mg/persistence';
import { toKeyHint } from './key-hint.js';

/** The credentials of channels, sealed with the console's ENCRYPTION_KEY. */
export class ChannelKeys {
  constructor(private readonly secretKey: SecretKey) {}

  /** Stores a channel's keys when they differ from the stored ones, so that nothing is announced for nothing. */
  async save(store: ConsoleStore, channelId: string, apiKeys: readonly string[]): Promise<boolean> {
    const stored = await this.#readReadable(store, channelId);
    if (stored !== undefined && sameKeys(stored, apiKeys)) return false;
    await store.channels.saveSecret({
      channelId,
      sealedKeys: sealApiKeys(apiKeys, channelId, this.secretKey),
      hints: apiKeys.map(toKeyHint),
    });
    return true;
  }

  /** @throws SecretError when they were sealed with another ENCRYPTION_KEY. */
  async read(store: ConsoleStore, channelId: string): Promise<string[]> {
    const secret = await store.channels.findSecret(channelId);
    return secret ? openApiKeys(secret.sealedKeys, channelId, this.secretKey) : [];
  }

  /** Keys that cannot be opened any more count as none. */
  async #readReadable(store: ConsoleStore, channelId: string): Promise<string[] | undefined> {
    const secret = await store.channels.findSecret(channelId);
    if (!secret) return undefined;
    try {
      return openApiKeys(secret.sealedKeys, channelId, this.secretKey);
    } catch (error) {
      if (error instanceof SecretError) return undefined;
      throw error;
    }
  }
}

function sameKeys(left: readonly string[], right: readonly string[]): boolean {
  return left.length === right.length && left.every((key, index) => key === right[index]);
}
