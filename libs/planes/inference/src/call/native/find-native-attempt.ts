import { type Channel, type Model, sha256 } from '@mg/contract';
import { findOwnBatches } from '@mg/providers';
import type { NativeRoute } from '@mg/transport';
import type { GatewayContext } from '../gateway-context.js';
import { isDeferred, type OpenedCall, type Operation } from '../operation.js';
import type { PreparedAttempt } from '../prepared-attempt.js';
import type { TimedAttempt } from '../try-channels.js';

const REASON = 'in a batch of its provider';

export interface NativeAttempt {
  readonly attempt: TimedAttempt;
  readonly route: NativeRoute;
}

/**
 * The channel and key whose provider carries out lines of a model: always the same ones while they are healthy, so that lines
 * gather. `undefined` where no channel does.
 */
export function findNativeAttempt(
  { slug }: Model,
  { catalog, health, keys }: Pick<GatewayContext, 'catalog' | 'health' | 'keys'>,
): NativeAttempt | undefined {
  const offered = (catalog().channelsBySlug.get(slug) ?? [])
    .filter((channel) => channel.batches === 'native' && findOwnBatches(channel))
    .toSorted((left, right) => right.priority - left.priority || (left.id < right.id ? -1 : 1))
    .flatMap((channel) => channel.apiKeys.map((apiKey) => ({ channel, apiKey })));
  const chosen =
    offered.find(({ channel, apiKey }) =>
      health.isUsable({ channelId: channel.id, slug, key: keys.nameOf(channel, apiKey) }),
    ) ?? offered[0];
  if (!chosen) return undefined;
  const { channel, apiKey } = chosen;
  const upstreamModel = channel.models.get(slug) ?? slug;
  const attempt = toNativeAttempt(slug, channel, upstreamModel);
  return { attempt, route: { channelId: channel.id, keyFingerprint: sha256(apiKey), upstreamModel } };
}

/** An attempt that is made in a batch of the channel's provider. */
export function toNativeAttempt(slug: string, channel: Channel, upstreamModel: string): TimedAttempt {
  return { slug, channel, upstreamModel, timeouts: channel.timeouts, reason: REASON, inBatch: true };
}

/** Whether a call can be one of a batch: asked once, with nothing that lies at another place. */
export function isBatchable(operation: OpenedCall): operation is Operation {
  if (isDeferred(operation)) return false;
  return !operation.stream && !operation.isBound && !operation.goesOn && operation.pinned === undefined;
}

/**
 * The path, below the versioned base address, at which a channel is asked once; `undefined` where it is asked more than once, or
 * where batches of its provider take no such requests.
 */
export function findBatchEndpoint(
  { bodies, stream, endpoint: { surface } }: PreparedAttempt,
  { upstreamModel: model, channel }: TimedAttempt,
): string | undefined {
  if (bodies.length !== 1 || stream || 'adapt' in surface) return undefined;
  const path = surface.path({ model, stream: false, settings: channel.settings });
  return findOwnBatches(channel)?.api.takes(path) ? path : undefined;
}
