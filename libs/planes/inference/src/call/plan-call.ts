import {
  type Catalog,
  type Channel,
  GatewayError,
  type Model,
  type ModelKind,
  NO_USAGE,
  priceAt,
} from '@mg/contract';
import { costOfCall } from '@mg/pricing';
import { type Ordering, type Plan, planAttempts } from '@mg/routing';
import type { GatewayContext } from './gateway-context.js';
import { findHolder, pinChannel, type PinnedChannel } from './pin-channel.js';

/** What the order of channels may depend on. */
export interface RoutedRequest {
  readonly stream: boolean;
  /** Whose calls of one conversation belong together. */
  readonly walletId: string;
  /** Left out where any channel will do. */
  readonly pinned?: PinnedChannel | undefined;
  /** Who holds what it goes on from, though any channel will do. */
  readonly heldBy?: PinnedChannel | undefined;
  /** Names the conversation; left out where calls have none. */
  conversation?(): string;
}

const HEDGED_KINDS: ReadonlySet<ModelKind> = new Set(['chat', 'embedding', 'moderation', 'rerank']);
/** A million tokens in and a million out: what channels are compared by. */
const COMPARED = { ...NO_USAGE, inputTokens: 1_000_000, outputTokens: 1_000_000 };

/**
 * The channels that a call may go to, in their order.
 *
 * @param request left out where the order of the model's strategy does not matter.
 * @throws GatewayError `upstream_unavailable` when there is none.
 */
export function planCall(slug: string, gateway: GatewayContext, request?: RoutedRequest): Plan {
  const catalog = gateway.catalog();
  const channels = catalog.channelsBySlug.get(slug) ?? [];
  if (channels.length === 0) {
    throw new GatewayError('upstream_unavailable', `No channel serves the model "${slug}" at the moment.`);
  }
  const model = catalog.models.get(slug);
  const pinnedTo = request?.pinned && pinChannel(request.pinned, channels, gateway.keys);
  const plan = planAttempts({
    slug,
    channels: pinnedTo ? [pinnedTo.channel] : channels,
    health: gateway.health,
    random: Math.random,
    keysOf: gateway.health.isQuiet ? undefined : (channel) => gateway.keys.namesOf(channel),
    ordering: request && findOrdering(slug, model, catalog, gateway, request),
    affinity: request && findAffinity(slug, model, request),
    holder: request?.heldBy && findHolder(slug, request.heldBy, channels, gateway),
  });
  if (pinnedTo) return pinKey(limitFirstToken(plan, model), pinnedTo.keyName);
  if (plan.attempts.length > 0) return hedge(limitFirstToken(plan, model), model, request);
  const cooldownMs = Math.max(0, (plan.cooldownUntilMs ?? 0) - performance.now());
  throw new GatewayError(
    'upstream_unavailable',
    'Every channel of this model is cooling down after failures.',
    {
      retryAfter: Math.max(1, Math.ceil(cooldownMs / 1_000)),
    },
  );
}

function pinKey(plan: Plan, keyName: string | undefined): Plan {
  const reason = 'the one that holds the cached content';
  return { ...plan, attempts: plan.attempts.map((attempt) => ({ ...attempt, keyName, reason })) };
}

/** Whole answers alone, of models that make nothing which another channel would have to make again. */
function hedge(plan: Plan, model: Model | undefined, request: RoutedRequest | undefined): Plan {
  if (!model?.hedge || !request || request.stream || !HEDGED_KINDS.has(model.kind)) return plan;
  return { ...plan, attempts: plan.attempts.map((attempt) => ({ ...attempt, isHedged: true })) };
}

function limitFirstToken(plan: Plan, model: Model | undefined): Plan {
  const firstTokenMs = model?.firstTokenMs;
  if (firstTokenMs === undefined) return plan;
  return { ...plan, attempts: plan.attempts.map((attempt) => ({ ...attempt, firstTokenMs })) };
}

function findOrdering(
  slug: string,
  model: Model | undefined,
  catalog: Catalog,
  { load }: GatewayContext,
  { stream }: RoutedRequest,
): Ordering | undefined {
  if (!model?.routing) return undefined;
  const costOf = (channel: Channel) => findCost(channel, slug, catalog);
  return { strategy: model.routing, slug, load, answer: stream ? 'stream' : 'whole', costOf };
}

/** What the channel's own model costs by the price version in force, where it is a model of ours as well. */
function findCost(channel: Channel, slug: string, { models }: Catalog): bigint | undefined {
  const own = models.get(channel.models.get(slug) ?? slug);
  const pinned = own && priceAt(own, Date.now());
  return pinned && costOfCall(COMPARED, pinned.price).total;
}

function findAffinity(
  slug: string,
  model: Model | undefined,
  { walletId, conversation }: RoutedRequest,
): string | undefined {
  return model?.sticky && conversation ? `${walletId} ${slug} ${conversation()}` : undefined;
}
