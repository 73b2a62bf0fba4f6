import { type ErrorCode, GatewayError } from '@mg/contract';
import type { CallRecord } from './call-record.js';
import type { GatewayContext } from './gateway-context.js';
import type { Hold } from './hold.js';
import { limitFirst, type PlannedCall } from './limit-call.js';
import type { Bound, OperationFacts } from './operation.js';
import { findHoldSeconds, reserve } from './reserve.js';
import type { Candidate, Route } from './route-call.js';

/** A candidate that what is held is enough for. */
export interface HeldCandidate<Held extends Hold> extends Candidate {
  readonly hold: Held;
}

interface BoundCandidate<Held extends Hold> extends Candidate {
  readonly bound: Bound<Held>;
}

/** What a wallet cannot pay, or what has no price: it says nothing of another model. */
const UNPAYABLE: ReadonlySet<ErrorCode> = new Set([
  'insufficient_balance',
  'quota_exceeded',
  'budget_exceeded',
  'model_not_priced',
]);

/** A call whose part of the limits is taken, and where it may go. */
interface LimitedCall extends Pick<PlannedCall, 'record' | 'reply'> {
  /** As it was planned. */
  readonly planned: Route;
  /** From the first model on that has room. */
  readonly limited: Route;
}

/** Where a call goes in the end, with its money set aside. */
export interface ReservedRoute<Held extends Hold> {
  readonly route: Route;
  readonly candidates: readonly [HeldCandidate<Held>, ...HeldCandidate<Held>[]];
}

/**
 * Sets a call's money aside. Where the channels of the model asked for are full, and the caller cannot pay for another one that has
 * room, the one asked for is waited for.
 *
 * @param record that the money is held for.
 * @throws GatewayError as `reserve` does, and as `limitCall` where it waits.
 */
export async function reserveOrWait<Held extends Hold>(
  operation: Pick<OperationFacts<Held>, 'bound'>,
  { planned, limited, ...call }: LimitedCall,
  record: CallRecord,
  gateway: GatewayContext,
): Promise<ReservedRoute<Held>> {
  try {
    return { route: limited, candidates: await reserveRoute(operation, limited, record, gateway) };
  } catch (error) {
    const isPassedOver = limited.candidates[0].model !== planned.candidates[0].model;
    if (!isPassedOver || !(error instanceof GatewayError) || !UNPAYABLE.has(error.code)) throw error;
    call.record.giveBackPermits();
    const route = await limitFirst(operation, planned, call, gateway);
    return { route, candidates: await reserveRoute(operation, route, record, gateway) };
  }
}

/**
 * Sets money aside once for all models that a call may go to: as much as the most expensive of them can cost. The caller must be able
 * to pay the first; the others are tried as far as what is held covers them.
 *
 * @throws GatewayError as `reserve` does.
 */
async function reserveRoute<Held extends Hold>(
  operation: Pick<OperationFacts<Held>, 'bound'>,
  { candidates: [first, ...others] }: Route,
  record: CallRecord,
  gateway: GatewayContext,
): Promise<readonly [HeldCandidate<Held>, ...HeldCandidate<Held>[]]> {
  if (others.length === 0) {
    const { model, plan } = first;
    const holding = reserve(operation, { model, plan, record }, gateway);
    return [{ model, plan, hold: holding instanceof Promise ? await holding : holding }];
  }
  const priced = others.flatMap((candidate) => boundOther(operation, candidate, record));
  // Last, since the record keeps the price that was pinned last.
  record.priceVersionId = undefined;
  const bound = operation.bound(first.model, first.plan, record);
  const highest = priced.reduce((most, other) => (other.wanted > most ? other.wanted : most), bound.wanted);
  const joint: Bound<Held> = {
    ...bound,
    wanted: highest,
    ttlSeconds: Math.max(...[first, ...priced].map(({ model }) => findHoldSeconds(model, gateway.catalog()))),
  };
  const hold = await reserve({ bound: () => joint }, { ...first, record }, gateway);
  return [{ ...first, hold }, ...priced.flatMap((other) => holdOther(other, hold))];
}

/** A model that has no price for the call, or cannot serve it, is none that it may go to. */
function boundOther<Held extends Hold>(
  operation: Pick<OperationFacts<Held>, 'bound'>,
  candidate: Candidate,
  record: CallRecord,
): (BoundCandidate<Held> & Pick<Bound<Held>, 'wanted'>)[] {
  try {
    const bound = operation.bound(candidate.model, candidate.plan, record);
    return [{ ...candidate, bound, wanted: bound.wanted }];
  } catch (error) {
    if (error instanceof GatewayError) return [];
    throw error;
  }
}

function holdOther<Held extends Hold>(
  { model, plan, bound }: BoundCandidate<Held>,
  { requestId, granted, leased }: Hold,
): HeldCandidate<Held>[] {
  if (bound.minimum > granted) return [];
  const hold = bound.toHold({ requestId, granted, price: bound.price, leased });
  return [{ model, plan, hold }];
}
