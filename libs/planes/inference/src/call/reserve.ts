import {
  type Catalog,
  type Channel,
  DEFAULT_TIMEOUTS,
  GatewayError,
  type HoldOutcome,
  type HoldRequest,
  LONGEST_HOLD_SECONDS,
  type Model,
} from '@mg/contract';
import type { Plan } from '@mg/routing';
import type { CallRecord } from './call-record.js';
import type { LeasedCall } from '../leases/lease-slice.js';
import type { GatewayContext } from './gateway-context.js';
import type { Hold } from './hold.js';
import type { Bound, OperationFacts } from './operation.js';
import { repriceHold } from './reprice-hold.js';
import { releaseHold } from './settle.js';

/** Beyond the longest duration of the call: time before the first attempt, and until its usage reaches billing. */
const HOLD_MARGIN_SECONDS = 5 * 60;

/** A call on its way to billing. */
export interface RoutedCall {
  readonly model: Model;
  readonly plan: Plan;
  readonly record: CallRecord;
}

/**
 * Sets the worst case of a call aside: in a lease of its payer, where one covers it, else billing holds it until it is
 * released, or `heldCalls.end` says that the call is over. Fails closed: no channel is called without either.
 *
 * @throws GatewayError `invalid_request`, `model_not_priced`, `insufficient_balance`, `quota_exceeded` or `service_unavailable`.
 */
export function reserve<Held extends Hold>(
  operation: Pick<OperationFacts<Held>, 'bound'>,
  { model, plan, record }: RoutedCall,
  gateway: GatewayContext,
): Held | Promise<Held> {
  const bound = operation.bound(model, plan, record);
  const leased = admitFromLease(bound, record, gateway);
  if (!leased) return askForHold(bound, model, record, gateway);
  return bound.toHold({ requestId: record.requestId, granted: bound.wanted, price: bound.price, leased });
}

async function askForHold<Held extends Hold>(
  bound: Bound<Held>,
  model: Model,
  record: CallRecord,
  gateway: GatewayContext,
): Promise<Held> {
  const { price, wanted, minimum, ttlSeconds } = bound;
  const request: HoldRequest = {
    id: record.requestId,
    walletId: record.caller.walletId,
    tokenId: record.caller.id,
    model: model.slug,
    priceVersionId: price.versionId,
    wanted,
    minimum,
    ttlSeconds: ttlSeconds ?? findHoldSeconds(model, gateway.catalog()),
    owner: gateway.owner,
  };
  const askedMs = performance.now();
  const outcome = await openHold(request, bound, gateway);
  if ('refused' in outcome) {
    const refusal = new GatewayError(outcome.refused, outcome.message, { retryAfter: outcome.retryAfter });
    throw bound.explainRefusal?.(refusal) ?? refusal;
  }
  gateway.heldCalls.begin(request.id, askedMs, request.ttlSeconds);
  // The hold of a lost process charges by the price that was in force then, or by that of another model.
  if (record.isTakenOver) await repriceHold(request.id, price, gateway);
  return bound.toHold({ requestId: record.requestId, granted: outcome.granted, price });
}

/** What is held together with something else, such as the task of a video, is billing's to hold. */
function admitFromLease<Held extends Hold>(
  { wanted, openHold: isTogether }: Bound<Held>,
  record: CallRecord,
  { leases, metrics }: GatewayContext,
): LeasedCall | undefined {
  if (isTogether) return undefined;
  const { walletId, id: tokenId } = record.caller;
  const leased = leases.admit({ walletId, tokenId }, wanted);
  metrics.countAdmission(leased ? 'lease' : 'billing');
  record.leaseId = leased?.lease.id;
  return leased;
}

/** A hold outlives the longest call that a channel of the model allows: what is held for a running call is not lent to another. */
export function findHoldSeconds({ slug }: Model, { channelsBySlug }: Catalog): number {
  return holdSecondsFor(channelsBySlug.get(slug) ?? []);
}

/** A lease outlives the longest call that any channel allows. */
export function findLeaseSeconds({ channelsBySlug }: Catalog): number {
  return holdSecondsFor([...channelsBySlug.values()].flat());
}

function holdSecondsFor(channels: readonly Channel[]): number {
  const longestMs = channels.reduce(
    (longest, { timeouts }) => Math.max(longest, timeouts.totalMs),
    DEFAULT_TIMEOUTS.totalMs,
  );
  return Math.min(Math.ceil(longestMs / 1_000) + HOLD_MARGIN_SECONDS, LONGEST_HOLD_SECONDS);
}

/**
 * Asks billing for a hold. A refusal may rest on calls that have ended but whose rows are not written yet: they are written
 * first, then billing is asked once more. Billing that fails may hold the money all the same: it is released.
 */
async function openHold<Held extends Hold>(
  request: HoldRequest,
  bound: Bound<Held>,
  gateway: GatewayContext,
): Promise<HoldOutcome> {
  const { wallet, journal } = gateway;
  try {
    const outcome = await (bound.openHold?.(request) ?? wallet.openHold(request));
    if ('granted' in outcome || journal.pending === 0 || journal.failingMs > 0) return outcome;
    await journal.flush();
    return await (bound.openHold?.(request) ?? wallet.openHold(request));
  } catch (error) {
    releaseHold(request.id, gateway);
    throw error;
  }
}
