import { type Channel, GatewayError, sha256 } from '@mg/contract';
import type { ChannelHealth, Holder, KeyRotation } from '@mg/routing';

/** The one channel and key that a call can go to: what it goes on from lies there. */
export interface PinnedChannel {
  readonly channelId: string;
  /** SHA-256 of the key; left out where the channel has none. */
  readonly keyHash: string | undefined;
}

/** A channel, and the name of the key to ask it with. */
export interface PinnedTo {
  readonly channel: Channel;
  readonly keyName: string | undefined;
}

/**
 * The channel that a call is pinned to, among those that serve its model.
 *
 * @throws GatewayError `upstream_unavailable` when the channel or its key is away.
 */
export function pinChannel(
  { channelId, keyHash }: PinnedChannel,
  channels: readonly Channel[],
  keys: KeyRotation,
): PinnedTo {
  const channel = channels.find(({ id }) => id === channelId);
  const apiKey = channel?.apiKeys.find((key) => sha256(key) === keyHash);
  if (!channel || (keyHash !== undefined && apiKey === undefined)) {
    throw new GatewayError(
      'upstream_unavailable',
      'The channel and key that hold the cached content are away, and no other ones have it: make it anew.',
    );
  }
  return { channel, keyName: apiKey === undefined ? undefined : keys.nameOf(channel, apiKey) };
}

/** The channel and key that hold what a call of a model goes on from, while they are there and healthy. */
export function findHolder(
  slug: string,
  { channelId, keyHash }: PinnedChannel,
  channels: readonly Channel[],
  { keys, health }: { readonly keys: KeyRotation; readonly health: ChannelHealth },
): Holder | undefined {
  const channel = channels.find(({ id }) => id === channelId);
  const apiKey = channel?.apiKeys.find((key) => sha256(key) === keyHash);
  if (!channel || apiKey === undefined) return undefined;
  const keyName = keys.nameOf(channel, apiKey);
  if (keyName === undefined || !health.isUsable({ channelId, slug, key: keyName })) return undefined;
  return { channelId, keyName };
}
