import { HOPS_HEADER, type Model, readHops } from '@mg/contract';
import { BATCH_LINE_HEADER } from '@mg/transport';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { CapturedCall } from '../capture/captured-call.js';
import type { BodyLease } from '../edge/body-budget.js';
import type { ClientConnection } from '../edge/client-connection.js';
import { toGatewayError } from '../edge/render-error.js';
import { sendWithinLimits } from './send-within-limits.js';
import { admitCall } from './admit-call.js';
import { CallRecord } from './call-record.js';
import { findInCache } from './find-in-cache.js';
import { findModel } from './find-model.js';
import type { GatewayContext } from './gateway-context.js';
import { isLimited, limitCall, limitRoute, showLimits } from './limit-call.js';
import { type BilledEndpoint, type DeferredOperation, isDeferred, type ReceivedBody } from './operation.js';
import { receive } from './receive.js';
import { recordCall } from './record-call.js';
import { relay, relaySubmitted } from './relay.js';
import { replayAnswer } from './replay-answer.js';
import { reserveRoute } from './reserve-route.js';
import { reserve } from './reserve.js';
import { refuseFallbacks, routeCall } from './route-call.js';
import { runOnce } from './run-once.js';
import { release } from './settle.js';
import { slowDown } from './slow-down.js';
import { tryModels } from './try-models.js';

export type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;

/**
 * A call that costs money, from its first byte to its row in the log, whatever its operation:
 * admit, receive, once, open, cache, route, limit, reserve, prepare, send, relay, settle, record.
 *
 * Each stage is a line here and a file beside this one. What is particular to an operation is behind `operation.ts`.
 */
export function billed(endpoint: BilledEndpoint, gateway: GatewayContext): Handler {
  return async (request, reply) => {
    const trace = gateway.tracing.begin(request, endpoint.path);
    const admitted = admitCall(request, endpoint.path, gateway, trace);
    const caller = admitted instanceof Promise ? await admitted : admitted;
    const record = new CallRecord(request.id, endpoint.path, caller);
    record.trace = trace;
    record.isBatched = request.headers[BATCH_LINE_HEADER] !== undefined;
    if (caller.limits) showLimits(caller, request, reply, gateway);
    record.hops = readHops(request.headers[HOPS_HEADER], gateway.installation);
    const lease = gateway.bodies.open(caller.id);
    let ran = true;
    let captured: CapturedCall | undefined;
    gateway.metrics.inFlight++;
    try {
      gateway.inFlight.begin(caller.id);
      trace?.stage('receive');
      const body = await receive(request, endpoint, lease, gateway.spool);
      captured = gateway.capture.begin(caller, body);
      trace?.stage('once');
      ran = await runOnce(request, reply, { record, body }, gateway, (client) => {
        captured?.watch(client);
        return answer(endpoint, { request, reply, body, record, client, lease }, gateway);
      });
    } catch (error) {
      const shown = toGatewayError(error, request, gateway.logger);
      record.fail(shown);
      await slowDown(shown, record, reply, gateway);
      throw shown;
    } finally {
      lease.endAnswerTurn();
      releaseWhenSent(lease, reply);
      gateway.metrics.inFlight--;
      gateway.inFlight.end(caller.id);
      gateway.heldCalls.end(record.requestId);
      if (record.countedAt !== undefined) gateway.load.end(record.countedAt);
      record.endPermits();
      trace?.end(record);
      if (ran) recordCall(record, gateway);
      if (ran && captured) gateway.capture.end(captured, caller, record.requestId);
    }
    return reply;
  };
}

/** A call whose Idempotency-Key, if it has one, is its own. */
interface AdmittedCall {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly body: ReceivedBody;
  readonly record: CallRecord;
  readonly client: ClientConnection;
  readonly lease: BodyLease;
}

/** @throws GatewayError for everything that goes wrong before the first byte of an answer; the call then costs nothing. */
async function answer(endpoint: BilledEndpoint, call: AdmittedCall, gateway: GatewayContext): Promise<void> {
  const { record, client, lease } = call;
  record.trace?.stage('open');
  const opening = endpoint.open(call.body, call.request, gateway, { caller: record.caller, lease });
  const operation = opening instanceof Promise ? await opening : opening;
  record.describe(operation);
  const model = findModel(gateway.catalog(), record.caller, operation.model, operation.kind);
  record.resolve(model.slug);
  if (isDeferred(operation)) return submit(operation, model, call, gateway);
  record.trace?.stage('cache');
  const cached = findInCache(operation, call, gateway);
  if (cached?.found) return replayAnswer(cached.found, operation, call, gateway);
  record.trace?.stage('route');
  const routed = routeCall(operation, model, call.request, record.caller, gateway);
  record.trace?.stage('limit');
  const route = isLimited(record.caller, routed.candidates)
    ? await limitRoute(operation, routed, call, gateway)
    : routed;
  record.trace?.stage('reserve');
  lease.take(operation.answerBytes);
  const candidates = await reserveRoute(operation, route, record, gateway);
  const [first] = candidates;
  const held = { operation, record, client, lease };
  try {
    record.trace?.stage('send');
    const { outcome, hold } = await tryModels(
      route,
      candidates,
      record,
      gateway,
      (attempt, hold, watchesRefusal) =>
        sendWithinLimits(attempt, { ...held, hold, watchesRefusal }, gateway),
    );
    record.trace?.stage('relay');
    await relay(outcome, { ...held, hold }, gateway);
    cached?.keepAnswer();
  } catch (error) {
    release(record, first.hold, gateway);
    throw error;
  } finally {
    // Whatever became of the call: its lease could otherwise never be given back.
    first.hold.leased?.release();
  }
}

/** A worker carries the call out. */
async function submit(
  operation: DeferredOperation,
  model: Model,
  call: AdmittedCall,
  gateway: GatewayContext,
): Promise<void> {
  const { request, record, client, lease } = call;
  refuseFallbacks(request);
  const routed = { model, plan: operation.route(model) };
  const plan = isLimited(record.caller, [routed])
    ? await limitCall(operation, { ...call, ...routed }, gateway)
    : routed.plan;
  record.trace?.stage('reserve');
  lease.take(operation.answerBytes);
  const hold = await reserve(operation, { model, plan, record }, gateway);
  record.trace?.stage('send');
  return relaySubmitted(await operation.submit(hold, record), record, client);
}

/** An answer that a slow client has not taken yet still lies in memory. */
function releaseWhenSent(lease: BodyLease, { raw }: FastifyReply): void {
  if (raw.writableEnded && !raw.writableFinished && !raw.destroyed) raw.once('close', () => lease.release());
  else lease.release();
}
