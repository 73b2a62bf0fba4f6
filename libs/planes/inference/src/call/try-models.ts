import type { FallbackCause, GatewayError } from '@mg/contract';
import type { Attempt } from '@mg/routing';
import type { CallRecord } from './call-record.js';
import type { Fault } from './classify-failure.js';
import type { GatewayContext } from './gateway-context.js';
import type { Hold } from './hold.js';
import { limitOther } from './limit-call.js';
import { repriceHold } from './reprice-hold.js';
import type { HeldCandidate } from './reserve-route.js';
import type { Route } from './route-call.js';
import {
  type AbandonedOutcome,
  type AnsweredOutcome,
  type FaultOutcome,
  keepTelling,
  tryInOrder,
  type TimedAttempt,
  toError,
} from './try-channels.js';

/** Asks a channel for one of the models of a call. */
export type SendToCandidate<Held extends Hold, Served> = (
  attempt: TimedAttempt,
  hold: Held,
  /** Whether a whole answer that is nothing but a refusal counts as none, since another model may be tried. */
  watchesRefusal: boolean,
) => Promise<Served | AbandonedOutcome | FaultOutcome>;

/** What the channels of a call's models brought, and the hold of the model that it came from. */
export interface ModelOutcome<Held extends Hold, Served> {
  readonly outcome: Served | AbandonedOutcome;
  readonly hold: Held;
}

/**
 * Tries the models of a call in their order, each on its channels, until one answers: the next one only for a reason that the
 * model asked for names. The time of the call is one for all of them.
 *
 * @throws GatewayError of the model that was asked for.
 */
export async function tryModels<Held extends Hold, Served extends AnsweredOutcome>(
  { fallbackOn, unserved }: Pick<Route, 'fallbackOn' | 'unserved'>,
  candidates: readonly HeldCandidate<Held>[],
  record: CallRecord,
  gateway: GatewayContext,
  send: SendToCandidate<Held, Served>,
): Promise<ModelOutcome<Held, Served>> {
  const beganMs = performance.now();
  const asked = record.model;
  let shown = unserved;
  let last: Fault | undefined;
  let cause: FallbackCause | undefined = unserved ? 'failure' : undefined;
  for (const [index, { model, plan, hold }] of candidates.entries()) {
    const isOther = model.slug !== asked;
    if (isOther) {
      if (cause === undefined || !fallbackOn.has(cause)) break;
      // The first candidate's limits and price are the call's from the start.
      if (index > 0 && !(await limitOther(model, record, gateway))) continue;
      if (index > 0 && !(await chargeBy(hold, gateway))) break;
      record.serveBy(model.slug, hold.price.versionId);
    }
    const attempts = isOther ? plan.attempts.map((one) => explainFallback(one, asked, cause)) : plan.attempts;
    const watches = fallbackOn.has('refusal') && index < candidates.length - 1;
    const outcome = await tryInOrder(attempts, { beganMs, last }, record, gateway, (attempt) =>
      send(attempt, hold, watches),
    );
    if (outcome.kind !== 'failed') return { outcome, hold };
    shown ??= toError(outcome.fault);
    cause = findCause(outcome.fault);
    if (outcome.fault) last = keepTelling(last, outcome.fault);
  }
  const first = candidates.find(({ model }) => model.slug === asked);
  record.serveBy(asked, first?.hold.price.versionId);
  throw shown as GatewayError;
}

/**
 * Why another model may be tried; `undefined` where it may not: the caller is at fault, or something may have been made. Channels at
 * their own limits are as good as failed.
 */
function findCause(fault: Fault | undefined): FallbackCause | undefined {
  if (!fault) return 'failure';
  if (fault.cause !== undefined || !fault.mayGoOn) return fault.cause;
  const isFull = fault.error.code === 'upstream_unavailable';
  return fault.kind !== undefined || isFull ? 'failure' : undefined;
}

/**
 * Has what is held for the call charge by another model's price. In a lease each row names its own. Nothing is asked where
 * billing cannot be reached: it would be charged by the wrong price.
 */
async function chargeBy({ requestId, price, leased }: Hold, gateway: GatewayContext): Promise<boolean> {
  return leased !== undefined || repriceHold(requestId, price, gateway);
}

function explainFallback(attempt: Attempt, asked: string, cause: FallbackCause | undefined): Attempt {
  return {
    ...attempt,
    reason: `model ${attempt.slug} after ${cause ?? 'failure'} of ${asked}; ${attempt.reason}`,
  };
}
