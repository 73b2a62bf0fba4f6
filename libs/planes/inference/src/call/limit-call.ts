import { type CallerToken, GatewayError, type Model, type ScopedLimits } from '@mg/contract';
import type { Attempt, Plan } from '@mg/routing';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { isRefusal, type LimitOutcome } from '../limits/limiter.js';
import type { Meter } from '../limits/meter.js';
import type { Permit } from '../limits/permit.js';
import { nameLimit, refuseLimited, refuseTooLarge } from '../limits/refuse-limited.js';
import type { CallRecord } from './call-record.js';
import type { GatewayContext } from './gateway-context.js';
import type { OperationFacts, TokenBound } from './operation.js';
import type { Hold } from './hold.js';
import type { Candidate, Route } from './route-call.js';

/** A call on its way to its channels. */
export interface PlannedCall {
  readonly model: Model;
  readonly plan: Plan;
  readonly record: CallRecord;
  readonly reply: FastifyReply;
  /** Whether another model is tried where the channels of this one are full: it is not waited for. */
  readonly passesOn?: boolean;
}

/** Every channel of a model is at its own limit. */
class ChannelsFull extends GatewayError {
  constructor({ slug }: Model) {
    super('rate_limited', `Every channel of the model "${slug}" is at its limit at the moment.`, {
      retryAfter: RETRY_AFTER_SECONDS,
    });
  }
}

const NO_LIMITS: readonly ScopedLimits[] = [];
const NO_TOKENS: TokenBound = { least: 0, most: 0 };
const RETRY_AFTER_SECONDS = 2;

/** Whether a call is under any limit: for others nothing is asked and nothing is made. */
export function isLimited(caller: CallerToken, candidates: readonly Candidate[]): boolean {
  return caller.limits !== undefined || candidates.some(hasLimits);
}

function hasLimits({ model, plan }: Candidate): boolean {
  return model.limits !== undefined || plan.attempts.some(hasOwnLimits);
}

function hasOwnLimits({ channel }: Attempt): boolean {
  return channel.limits !== undefined;
}

/**
 * Takes the part of a call that may go on to other models, whose own limits are asked when it comes to them. Where every channel
 * of the model is full, the first of the others that has room takes its place; where none has, the model is waited for.
 *
 * @throws GatewayError as `limitCall` does.
 */
export async function limitRoute<Held extends Hold>(
  operation: Pick<OperationFacts<Held>, 'bound'>,
  route: Route,
  call: Pick<PlannedCall, 'record' | 'reply'>,
  gateway: GatewayContext,
): Promise<Route> {
  const goesOn = route.candidates.length > 1 && route.fallbackOn.has('failure');
  const passed = goesOn ? await passOver(operation, route, call, gateway) : undefined;
  return passed ?? (await limitFirst(operation, route, call, gateway));
}

/** The same for a call that waits for the model that it asked for, whatever room others have. @throws GatewayError as `limitCall` does. */
export async function limitFirst<Held extends Hold>(
  operation: Pick<OperationFacts<Held>, 'bound'>,
  route: Route,
  call: Pick<PlannedCall, 'record' | 'reply'>,
  gateway: GatewayContext,
): Promise<Route> {
  const [first, ...others] = route.candidates;
  const plan = await limitCall(operation, { ...call, ...first }, gateway);
  return { ...route, candidates: [{ ...first, plan }, ...others] };
}

/** @returns the route from the first model on that has a channel with room; `undefined` where none has. */
async function passOver<Held extends Hold>(
  operation: Pick<OperationFacts<Held>, 'bound'>,
  route: Route,
  call: Pick<PlannedCall, 'record' | 'reply'>,
  gateway: GatewayContext,
): Promise<Route | undefined> {
  let { unserved } = route;
  for (const [index, candidate] of route.candidates.entries()) {
    try {
      const plan = await limitCall(operation, { ...call, ...candidate, passesOn: true }, gateway);
      const rest = route.candidates.slice(index + 1);
      return { ...route, candidates: [{ ...candidate, plan }, ...rest], unserved };
    } catch (error) {
      // What is wrong with one of the others is no reason not to wait for the first.
      if (!(error instanceof GatewayError) || (index === 0 && !(error instanceof ChannelsFull))) throw error;
      unserved ??= error;
    }
  }
  return undefined;
}

/** Takes a call's part of the limits of another model that it goes on to. @returns whether there was room. */
export async function limitOther(
  { limits }: Pick<Model, 'limits'>,
  record: CallRecord,
  { limiter, metrics }: Pick<GatewayContext, 'limiter' | 'metrics'>,
): Promise<boolean> {
  record.otherPermit?.end(0);
  record.otherPermit = undefined;
  if (!limits) return true;
  const outcome = await limiter.take(NO_LIMITS, record.mostTokens, limits);
  if (isRefusal(outcome)) {
    metrics.countLimited(outcome.refusedBy.scope, outcome.refusedBy.measure);
    return false;
  }
  record.otherPermit = outcome;
  return true;
}

/**
 * Takes the call's part of all limits: of key, wallet, user and model, and of the first channel of the plan that has room.
 *
 * @returns the plan, with the channels that are at their limits at its end.
 * @throws GatewayError `rate_limited`; `invalid_request` for a call that is larger than a limit.
 */
export async function limitCall<Held extends Hold>(
  operation: Pick<OperationFacts<Held>, 'bound'>,
  call: PlannedCall,
  gateway: GatewayContext,
): Promise<Plan> {
  const { model, plan, record } = call;
  const { limiter } = gateway;
  const own = listLimits(record.caller, model);
  const meters = limiter.find(own);
  record.tokenLimit = findTokenLimit(meters);
  const { least, most } = operation.bound(model, plan, record).tokens ?? NO_TOKENS;
  record.mostTokens = most;
  for (const meter of meters) {
    if (meter.measure === 'tpm' && least > meter.limit) throw refuseTooLarge(meter, least);
  }
  const admission = new ChannelAdmission(own, most, call, gateway);
  return (await admission.takeFirst()) ?? (await admission.waitOrPass());
}

/** Tries the channels of a plan in their order, each together with the call's own limits. */
class ChannelAdmission {
  /** The limit that each channel was passed over for, by its id. */
  readonly #refusals = new Map<string, Meter>();

  constructor(
    private readonly own: readonly ScopedLimits[],
    private readonly tokens: number,
    private readonly call: PlannedCall,
    private readonly gateway: GatewayContext,
  ) {}

  /** @returns `undefined` where all channels are at their limits, or others wait for them. */
  takeFirst(): Promise<Plan | undefined> | undefined {
    const { plan, model } = this.call;
    const isOvertaking = this.gateway.limiter.channelQueue.hasWaiting(model.slug);
    return isOvertaking && plan.attempts.every(hasOwnLimits) ? undefined : this.#take();
  }

  /** @throws ChannelsFull when none has room in time, or at once where another model may have it. */
  async waitOrPass(): Promise<Plan> {
    const { model, plan, record, reply, passesOn } = this.call;
    if (passesOn) {
      this.#noteSkipped(plan.attempts);
      throw new ChannelsFull(model);
    }
    const { limiter } = this.gateway;
    const taken = await limiter.channelQueue.run(
      model.slug,
      record.caller.id,
      () => this.#take(),
      () => reply.raw.destroyed,
    );
    if (taken) return taken;
    for (const { measure } of this.#refusals.values()) this.gateway.metrics.countLimited('channel', measure);
    throw new ChannelsFull(model);
  }

  /** @throws GatewayError `rate_limited` for the call's own limits. */
  async #take(): Promise<Plan | undefined> {
    const { plan } = this.call;
    if (plan.attempts.length === 0) {
      this.#grant(await this.gateway.limiter.take(this.own, this.tokens), undefined);
      return plan;
    }
    for (const [index, { channel }] of plan.attempts.entries()) {
      const taking = this.gateway.limiter.take(this.own, this.tokens, channel.limits);
      const outcome = taking instanceof Promise ? await taking : taking;
      if (isRefusal(outcome) && outcome.refusedBy.scope === 'channel') {
        this.#refusals.set(channel.id, outcome.refusedBy);
        continue;
      }
      this.#grant(outcome, channel.limits && channel.id);
      if (index === 0) return plan;
      this.#noteSkipped(plan.attempts.slice(0, index));
      return { ...plan, attempts: [...plan.attempts.slice(index), ...plan.attempts.slice(0, index)] };
    }
    return undefined;
  }

  #grant(outcome: LimitOutcome, channelId: string | undefined): void {
    if (isRefusal(outcome)) {
      this.gateway.metrics.countLimited(outcome.refusedBy.scope, outcome.refusedBy.measure);
      throw refuseLimited(outcome);
    }
    const { record, model } = this.call;
    record.permit = outcome;
    if (channelId === undefined) return;
    record.channelPermit = { channelId, permit: outcome.partOf('channel'), isUsed: false };
    record.leaveChannels = this.gateway.limiter.channelQueue.begin(model.slug, record.caller.id);
  }

  /** Channels without room come last in the plan: they may have some by then. */
  #noteSkipped(skipped: readonly Attempt[]): void {
    for (const { channel } of skipped) {
      const meter = this.#refusals.get(channel.id);
      if (!meter) continue;
      this.gateway.metrics.countLimited('channel', meter.measure);
      this.call.record.skipped++;
      this.call.record.attempts.push({
        channel: channel.name,
        outcome: 'failed',
        status: null,
        latency_ms: 0,
        reason: `not asked: ${nameLimit(meter)} is reached`,
      });
    }
  }
}

/** Has answers say what is left of a model's limits, too, once it is known which model is asked for. */
export function showModelLimits(
  model: Model,
  request: FastifyRequest,
  caller: CallerToken,
  { limiter }: Pick<GatewayContext, 'limiter'>,
): void {
  if (model.limits) request.shownLimits = limiter.find(listLimits(caller, model));
}

/** Takes a request, and no tokens, of the limits of a call that costs nothing. @throws GatewayError `rate_limited` */
export async function limitFreeCall(caller: CallerToken, gateway: GatewayContext): Promise<Permit> {
  const outcome = await gateway.limiter.take(caller.limits ?? NO_LIMITS, 0);
  if (!isRefusal(outcome)) return outcome;
  gateway.metrics.countLimited(outcome.refusedBy.scope, outcome.refusedBy.measure);
  throw refuseLimited(outcome);
}

/** Lists with a model's own limits, by these and by those of the key: a list that is made once is looked through once. */
const listed = new WeakMap<ScopedLimits, WeakMap<readonly ScopedLimits[], readonly ScopedLimits[]>>();

function listLimits({ limits: own = NO_LIMITS }: CallerToken, model: Model): readonly ScopedLimits[] {
  if (!model.limits) return own;
  const ofModel = listed.get(model.limits) ?? new WeakMap<readonly ScopedLimits[], readonly ScopedLimits[]>();
  listed.set(model.limits, ofModel);
  const all = ofModel.get(own) ?? [...own, model.limits];
  ofModel.set(own, all);
  return all;
}

/** The smallest limit of tokens per minute. */
function findTokenLimit(meters: readonly Meter[]): number | undefined {
  let least: number | undefined;
  for (const { measure, limit } of meters) {
    if (measure === 'tpm') least = Math.min(limit, least ?? limit);
  }
  return least;
}
