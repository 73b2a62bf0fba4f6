import { isDeepStrictEqual } from 'node:util';
import {
  type ChannelSecretRow,
  type ChannelSecrets,
  type ConsoleStore,
  NO_CHANNEL_SECRETS,
  openChannelSecrets,
  sealChannelSecrets,
  SecretError,
  type SecretKey,
} from '@mg/persistence';
import { toKeyHint } from './key-hint.js';

/** All that is ever shown of a channel's credentials. */
export interface ShownSecrets {
  readonly keyHints: readonly string[];
  /** Names of the secret settings that are set. */
  readonly settingNames: readonly string[];
}

/** The credentials of channels, keys and secret settings, sealed with the console's ENCRYPTION_KEY. */
export class ChannelKeys {
  constructor(private readonly secretKey: SecretKey) {}

  /**
   * Stores what the change names and keeps the rest. What is stored already is not written, so that nothing is
   * announced for nothing.
   */
  async save(store: ConsoleStore, channelId: string, change: Partial<ChannelSecrets>): Promise<boolean> {
    const stored = await this.readReadable(store, channelId);
    const wanted: ChannelSecrets = { ...stored, ...change };
    if (isDeepStrictEqual(stored, wanted)) return false;
    await store.channels.saveSecret({
      channelId,
      sealedKeys: sealChannelSecrets(wanted, channelId, this.secretKey),
      hints: wanted.apiKeys.map(toKeyHint),
    });
    return true;
  }

  /** @throws SecretError when they were sealed with another ENCRYPTION_KEY. */
  async read(store: ConsoleStore, channelId: string): Promise<ChannelSecrets> {
    const row = await store.channels.findSecret(channelId);
    return row ? this.#open(row) : NO_CHANNEL_SECRETS;
  }

  /** Credentials that cannot be opened any more count as none. */
  async readReadable(store: ConsoleStore, channelId: string): Promise<ChannelSecrets> {
    const row = await store.channels.findSecret(channelId);
    return row ? this.#openReadable(row) : NO_CHANNEL_SECRETS;
  }

  /** What may be shown, by channel id; channels without credentials are left out. */
  async describe(
    store: ConsoleStore,
    channelIds: readonly string[],
  ): Promise<ReadonlyMap<string, ShownSecrets>> {
    const rows = await store.channels.findSecrets(channelIds);
    return new Map(
      rows.map((row) => [
        row.channelId,
        { keyHints: row.hints, settingNames: Object.keys(this.#openReadable(row).settings).toSorted() },
      ]),
    );
  }

  #open(row: ChannelSecretRow): ChannelSecrets {
    return openChannelSecrets(row.sealedKeys, row.channelId, this.secretKey);
  }

  #openReadable(row: ChannelSecretRow): ChannelSecrets {
    try {
      return this.#open(row);
    } catch (error) {
      if (error instanceof SecretError) return NO_CHANNEL_SECRETS;
      throw error;
    }
  }
}
