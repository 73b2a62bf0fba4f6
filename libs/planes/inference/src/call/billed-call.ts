import type { Model } from '@mg/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { readNativeStep } from '../access/batch-lines.js';
import type { BodyLease } from '../edge/body-budget.js';
import type { ClientConnection } from '../edge/client-connection.js';
import { waitForRoom } from '../edge/loop-turns.js';
import { toGatewayError } from '../edge/render-error.js';
import { sendToChannel } from './send-to-channel.js';
import { sendWithinLimits } from './send-within-limits.js';
import type { CallRecord } from './call-record.js';
import { EarlyStream } from './early-stream.js';
import { findInCache } from './find-in-cache.js';
import { findModel } from './find-model.js';
import type { GatewayContext } from './gateway-context.js';
import { isLimited, limitCall, limitRoute, showModelLimits } from './limit-call.js';
import { takeNativeStep } from './native/take-native-step.js';
import { type BilledEndpoint, type DeferredOperation, isDeferred, type ReceivedBody } from './operation.js';
import { receive } from './receive.js';
import { relay, relaySubmitted } from './relay.js';
import { replayAnswer } from './replay-answer.js';
import { reserveOrWait } from './reserve-route.js';
import { reserve } from './reserve.js';
import { refuseFallbacks, routeCall } from './route-call.js';
import { runOnce } from './run-once.js';
import { release } from './settle.js';
import { type Handler, tracked } from './tracked-call.js';
import { tryModels } from './try-models.js';

/**
 * A call that costs money, from its first byte to its row in the log, whatever its operation:
 * admit, receive, once, open, cache, route, limit, reserve, prepare, send, relay, settle, record.
 *
 * Each stage is a line here and a file beside this one; the first and the last are in `tracked-call.ts`. What is particular
 * to an operation is behind `operation.ts`.
 */
export function billed(endpoint: BilledEndpoint, gateway: GatewayContext): Handler {
  return tracked(endpoint.path, gateway, async ({ request, reply, record, lease }) => {
    const step = readNativeStep(request);
    if (step) return takeNativeStep(step, endpoint, { request, reply, record, lease }, gateway);
    record.trace?.stage('receive');
    const body = await receive(request, endpoint, lease, gateway.spool);
    const captured = gateway.capture.begin(record.caller, body);
    record.trace?.stage('once');
    let ran = true;
    try {
      ran = await runOnce(request, reply, { record, body }, gateway, (client) => {
        captured?.watch(client);
        return answer(endpoint, { request, reply, body, record, client, lease }, gateway);
      });
    } finally {
      if (ran && captured) gateway.capture.end(captured, record.caller, record.requestId);
    }
    return ran;
  });
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
  showModelLimits(model, call.request, record.caller, gateway);
  if (isDeferred(operation)) return submit(operation, model, call, gateway);
  record.trace?.stage('cache');
  const cached = findInCache(operation, call, gateway);
  if (cached?.found) return replayAnswer(cached.found, operation, call, gateway);
  record.trace?.stage('route');
  const routed = routeCall(operation, model, call.request, record.caller, gateway);
  record.trace?.stage('limit');
  const limited = isLimited(record.caller, routed.candidates)
    ? await limitRoute(operation, routed, call, gateway)
    : routed;
  record.trace?.stage('reserve');
  lease.take(operation.answerBytes);
  const limitedCall = { ...call, planned: routed, limited };
  const { route, candidates } = await reserveOrWait(operation, limitedCall, record, gateway);
  const [first] = candidates;
  const early = operation.openEarly && new EarlyStream(operation, record, client);
  const held = { operation, record, client, lease, early };
  try {
    record.trace?.stage('send');
    const turn = waitForRoom();
    if (turn) await turn;
    const { outcome, hold } = await tryModels(
      route,
      candidates,
      record,
      gateway,
      (attempt, hold, watchesRefusal) =>
        sendWithinLimits(attempt, record, gateway, () =>
          sendToChannel(attempt, { ...held, hold, watchesRefusal }, gateway),
        ),
    );
    record.trace?.stage('relay');
    await relay(outcome, { ...held, hold }, gateway);
    await cached?.keepAnswer();
  } catch (error) {
    release(record, first.hold, gateway);
    if (!early?.hasBegun) throw error;
    early.fail(toGatewayError(error, call.request, gateway.logger));
  } finally {
    early?.stop();
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
  record.trace?.stage('route');
  const routed = { model, plan: operation.route(model) };
  record.trace?.stage('limit');
  const plan = isLimited(record.caller, [routed])
    ? await limitCall(operation, { ...call, ...routed }, gateway)
    : routed.plan;
  record.trace?.stage('reserve');
  lease.take(operation.answerBytes);
  const hold = await reserve(operation, { model, plan, record }, gateway);
  record.trace?.stage('send');
  return relaySubmitted(await operation.submit(hold, record), record, client);
}
