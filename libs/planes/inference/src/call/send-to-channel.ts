import { GatewayError, type Wasted, type WasteReason } from '@mg/contract';
import { gatherBytes, type OutgoingBody } from '@mg/protocols';
import type { SurfaceCall } from '@mg/providers';
import { callLocally, type UpstreamCall, UpstreamFailure } from '@mg/transport';
import type { BodyLease } from '../edge/body-budget.js';
import type { ClientConnection } from '../edge/client-connection.js';
import { nextTurn } from '../edge/loop-turns.js';
import { addressRequest } from './address-request.js';
import type { CallRecord } from './call-record.js';
import {
  classifyCancelled,
  classifyFailure,
  classifyGarbage,
  classifyRefusal,
  type Fault,
} from './classify-failure.js';
import type { GatewayContext } from './gateway-context.js';
import type { Hold } from './hold.js';
import type { Operation } from './operation.js';
import type { PreparedAttempt } from './prepared-attempt.js';
import { type AttemptOutcome, takeAnswer } from './take-answer.js';
import type { FaultOutcome, TimedAttempt } from './try-channels.js';

/** What sending to a channel needs of a call. */
export interface SentCall {
  readonly operation: Pick<Operation, 'prepare' | 'answerBytes' | 'isOrderedOnce'> &
    /** Left out where the upstream bills nothing. */
    Partial<Pick<Operation, 'approximateSent' | 'mustBeReported'>>;
  readonly hold: Hold;
  readonly record: Pick<CallRecord, 'hops' | 'isUnsent'>;
  readonly lease: BodyLease;
  /** Whether a whole answer that is nothing but a refusal counts as none. */
  readonly watchesRefusal?: boolean;
  /** Left out where a call is not stopped when its client leaves. */
  readonly client?: ClientConnection;
}

/**
 * Asks one channel, once more with the whole conversation where its upstream has forgotten what it was asked to go on from:
 * no caller and no channel is at fault then, and nothing has been made.
 */
export async function sendToChannel(
  attempt: TimedAttempt,
  call: SentCall,
  gateway: GatewayContext,
): Promise<AttemptOutcome> {
  const beganMs = performance.now();
  const outcome = await askChannel(attempt, call, gateway);
  if (outcome.kind !== 'fault' || !outcome.fault.isForgotten) return outcome;
  const { timeouts } = attempt;
  const totalMs = Math.max(1, Math.ceil(timeouts.totalMs - (performance.now() - beganMs)));
  return askChannel({ ...attempt, timeouts: { ...timeouts, totalMs }, isForgotten: true }, call, gateway);
}

/**
 * Prepares what a channel is sent, sends it, and waits until its answer is known to be good - a whole answer once all of it is
 * there, a stream once its first event is.
 */
async function askChannel(
  attempt: TimedAttempt,
  call: SentCall,
  gateway: GatewayContext,
): Promise<AttemptOutcome> {
  const sent: UpstreamCall[] = [];
  try {
    const preparing = call.operation.prepare(attempt, call.hold);
    const prepared = preparing instanceof Promise ? await preparing : preparing;
    if (!prepared) {
      return fault(
        classifyGarbage(`a channel of type ${attempt.channel.type} does not serve this call`),
        sent,
        call,
      );
    }
    // It may have taken seconds to fetch and convert what is in it.
    if (attempt.cancel?.aborted) return stop(classifyCancelled(), sent, call);
    // Nobody bills what has not been sent.
    if (call.client?.isGone && (prepared.stream || stopsWithClient(prepared, attempt, call))) {
      call.record.isUnsent = true;
      return { kind: 'abandoned' };
    }
    for (const body of prepared.bodies) {
      const sending = send(body, prepared, attempt, call, gateway);
      sent.push(sending instanceof Promise ? await sending : sending);
    }
    if (attempt.sent) attempt.sent.wasted = () => approximate('hedged', call);
    if (attempt.cancel?.aborted) return stop(classifyCancelled(), sent, call);
    attempt.cancel?.addEventListener('abort', () => abortAll(sent), { once: true });
    if (stopsWithClient(prepared, attempt, call)) call.client?.watch(() => abortAll(sent));
    const outcome = await takeAnswer(prepared, sent, call);
    return outcome.kind === 'fault' ? stop(outcome.fault, sent, call) : outcome;
  } catch (error) {
    if (attempt.cancel?.aborted) return stop(classifyCancelled(), sent, call);
    if (error instanceof GatewayError) return stop(classifyError(error), sent, call);
    abortAll(sent);
    if (!(error instanceof UpstreamFailure)) throw error;
    return call.client?.left ? { kind: 'abandoned' } : fault(classifyFailure(error), sent, call);
  }
}

/**
 * Streams end with their client; whole answers by the channel's policy. What may have been made already, and what only the upstream
 * can count, does not.
 */
function stopsWithClient(
  { stream, endpoint }: PreparedAttempt,
  { channel }: TimedAttempt,
  { operation, hold }: SentCall,
): boolean {
  if (operation.isOrderedOnce || operation.mustBeReported?.(hold)) return false;
  return stream !== undefined || (channel.onAbort ?? endpoint.provider.onAbort) === 'cancel';
}

function send(
  body: OutgoingBody,
  prepared: PreparedAttempt,
  { channel, upstreamModel, timeouts, apiKey, traced }: TimedAttempt,
  { record, lease }: SentCall,
  gateway: GatewayContext,
): UpstreamCall | Promise<UpstreamCall> {
  const streamed = prepared.stream !== undefined;
  const call: SurfaceCall = { model: upstreamModel, stream: streamed, settings: channel.settings };
  const { answer } = prepared.endpoint.surface;
  if (answer) {
    const { repeated } = prepared;
    const path = prepared.endpoint.surface.path(call);
    return readWhole(body, lease, ({ bytes: whole, contentType }) =>
      callLocally((signal) => answer({ body: whole, contentType, path, signal, repeated })),
    );
  }
  const passedOn = { hops: record.hops, trace: traced?.headers, streamed, timeouts };
  const addressing = addressRequest({ ...prepared, channel, apiKey, call, body }, gateway);
  return addressing instanceof Promise
    ? addressing.then((request) => gateway.upstream.call({ ...request, ...passedOn }))
    : gateway.upstream.call({ ...addressing, ...passedOn });
}

/** What answers within this process reads its request as a whole. */
async function readWhole(
  { bytes, contentType }: OutgoingBody,
  lease: BodyLease,
  call: (whole: { readonly bytes: Buffer; readonly contentType: string }) => UpstreamCall,
): Promise<UpstreamCall> {
  if (!Buffer.isBuffer(bytes)) lease.take(bytes.length);
  return call({ bytes: await gatherBytes(bytes, nextTurn), contentType });
}

function abortAll(sent: readonly UpstreamCall[]): void {
  for (const one of sent) {
    // The reply is no longer awaited: its rejection must not be unhandled.
    one.reply.catch(() => undefined);
    one.abort();
  }
}

/** An answer that could not be read is the channel's fault; what it cannot carry, and lack of memory, are not. */
function classifyError(error: GatewayError): Fault {
  return error.code === 'upstream_error' ? classifyGarbage(error.message) : classifyRefusal(error);
}

function stop(reason: Fault, sent: readonly UpstreamCall[], call: SentCall): FaultOutcome {
  abortAll(sent);
  return fault(reason, sent, call);
}

function fault(reason: Fault, sent: readonly UpstreamCall[], call: SentCall): FaultOutcome {
  const shown = call.operation.isOrderedOnce ? endWithoutFailover(reason) : reason;
  const wasted = sent.length > 0 && reason.wasted ? approximate(reason.wasted, call) : undefined;
  return wasted ? { kind: 'fault', fault: shown, wasted } : { kind: 'fault', fault: shown };
}

/** What a request that was sent may cost us; nothing where the upstream bills nothing. */
function approximate(reason: WasteReason, { operation, hold }: SentCall): Wasted | undefined {
  const usage = operation.approximateSent?.(hold);
  return usage && { reason, usage, priceVersionId: hold.price.versionId };
}

/** What may have been made already is not ordered a second time: the first one is billed to us all the same. */
function endWithoutFailover(reason: Fault): Fault {
  return reason.kind === 'broken' && reason.wasted ? { ...reason, mayGoOn: false } : reason;
}
