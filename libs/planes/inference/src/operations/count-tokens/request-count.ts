import {
  type CallerToken,
  type Channel,
  type ChannelTimeouts,
  GatewayError,
  HOPS_HEADER,
  type Model,
  readHops,
} from '@mg/contract';
import type { JsonObject } from '@mg/protocols';
import type { Attempt, Plan } from '@mg/routing';
import { OF_THE_REQUEST } from '../../call/find-blame.js';
import { sendToChannel } from '../../call/send-to-channel.js';
import { sendWithinLimits } from '../../call/send-within-limits.js';
import { CallRecord } from '../../call/call-record.js';
import type { GatewayContext } from '../../call/gateway-context.js';
import { planCall } from '../../call/plan-call.js';
import { reserve } from '../../call/reserve.js';
import { release } from '../../call/settle.js';
import type { BodyLease } from '../../edge/body-budget.js';
import type { ChatHold } from '../chat/bound-chat.js';
import type { ChatRequest } from '../chat/chat-request.js';
import { type CountFigure, CountOperation, parseCount } from './count-operation.js';

/** A request to count, as it came in. */
export interface CountRequest {
  readonly requestId: string;
  readonly endpoint: string;
  readonly caller: CallerToken;
  readonly model: Model;
  readonly request: ChatRequest;
  readonly figure: CountFigure;
  readonly lease: BodyLease;
}

/** A count whose prompt its caller could pay for. */
interface SentCount {
  readonly operation: CountOperation;
  readonly hold: ChatHold;
  readonly record: CallRecord;
  readonly lease: BodyLease;
}

/**
 * Asks the first channel that counts tokens, free of charge: route, reserve, prepare and send as a chat's, but for one
 * channel alone, whose failure says nothing of its chats.
 *
 * Counting upstream costs the caller nothing, but our account has its limits there: whoever could not pay for the prompt is
 * not served. Funds are held as for a call without an answer, and released at once.
 *
 * @returns `undefined` when no channel can be asked or its answer is no count, as where it has no such endpoint: the tokens are
 * then counted here.
 * @throws GatewayError `invalid_request` with the upstream's words when it finds fault with the client's own bytes.
 */
export async function requestCount(
  count: CountRequest,
  gateway: GatewayContext,
): Promise<JsonObject | undefined> {
  const { request, figure, model, lease } = count;
  const plan = unlessRefused(() => planCall(model.slug, gateway));
  const counters = plan?.attempts.filter(({ channel, upstreamModel }) =>
    gateway.chatEndpoints.find(channel, 'count-tokens', upstreamModel, request.protocol.name),
  );
  if (!plan || !counters || counters.length === 0) return undefined;
  const operation = new CountOperation(request, figure, gateway);
  const record = new CallRecord(count.requestId, count.endpoint, count.caller);
  record.hops = readHops(request.headers[HOPS_HEADER], gateway.installation);
  const hold = await holdPrompt(operation, { model, plan, record }, gateway);
  if (!hold) return undefined;
  try {
    return await askCounters(counters, { operation, hold, record, lease }, gateway);
  } finally {
    record.endPermits();
  }
}

/** @returns `undefined` when no channel can be asked or its answer is no count. @throws GatewayError as `requestCount`. */
async function askCounters(
  counters: readonly Attempt[],
  { operation, hold, record, lease }: SentCount,
  gateway: GatewayContext,
): Promise<JsonObject | undefined> {
  for (const next of counters) {
    const attempt = { ...next, timeouts: limitCount(next.channel) };
    const outcome = await sendWithinLimits(attempt, record, gateway, () =>
      sendToChannel(attempt, { operation, hold, record, lease }, gateway),
    );
    if (outcome.kind === 'answer') return parseCount(outcome.answer, operation.figure);
    if (outcome.kind !== 'fault') return undefined;
    const { kind, status, error } = outcome.fault;
    const isUnasked = kind === undefined && status === undefined;
    if (isUnasked) continue;
    const isOfRequest = kind === undefined && status !== undefined && OF_THE_REQUEST.has(status);
    if (isOfRequest && operation.speaksClientProtocol(attempt)) throw error;
    return undefined;
  }
  return undefined;
}

/** `undefined` for a caller who could not pay. @throws GatewayError `invalid_request` for a request that cannot be bounded. */
async function holdPrompt(
  operation: CountOperation,
  routed: { readonly model: Model; readonly plan: Plan; readonly record: CallRecord },
  gateway: GatewayContext,
): Promise<ChatHold | undefined> {
  try {
    const hold = await reserve(operation, routed, gateway);
    release(routed.record, hold, gateway);
    return hold;
  } catch (error) {
    if (error instanceof GatewayError && error.code !== 'invalid_request') return undefined;
    throw error;
  }
}

function unlessRefused<Result>(work: () => Result): Result | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
}

/** A count is made at once; one that is not is made here by a tokenizer, long before a chat's whole time is over. */
function limitCount({ timeouts }: Channel): ChannelTimeouts {
  return { ...timeouts, totalMs: Math.min(timeouts.firstByteMs, timeouts.totalMs) };
}
