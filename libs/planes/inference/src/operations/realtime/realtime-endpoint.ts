import { GatewayError, newId } from '@mg/contract';
import type { FastifyRequest } from 'fastify';
import { CallRecord } from '../../call/call-record.js';
import { describeRoute } from '../../call/describe-route.js';
import { findModel } from '../../call/find-model.js';
import type { GatewayContext } from '../../call/gateway-context.js';
import type { Hold } from '../../call/hold.js';
import { isLimited, limitRoute } from '../../call/limit-call.js';
import { type HeldCandidate, reserveRoute } from '../../call/reserve-route.js';
import { type Route, routeCall } from '../../call/route-call.js';
import { sendWithinLimits } from '../../call/send-within-limits.js';
import { releaseHold } from '../../call/settle.js';
import { type Handler, tracked, type TrackedCall } from '../../call/tracked-call.js';
import { tryModels } from '../../call/try-models.js';
import {
  acceptUpgrade,
  checkUpgrade,
  hasLeft,
  MAX_MESSAGE_BYTES,
  watchLeaving,
} from '../../edge/upgrades.js';
import { connectChannel, type ConnectedOutcome } from './connect-channel.js';
import { boundResponse, REALTIME_PATH, SessionOperation } from './session-operation.js';
import { RealtimeSession, SESSION_TIMES, type SessionEnd } from './realtime-session.js';
import { SessionHealth } from './session-health.js';
import { SessionResponses } from './session-responses.js';
import { SessionTranscripts } from './session-transcripts.js';

const SWITCHING_PROTOCOLS = 101;
const CLIENT_LEFT = 499;
const NORMAL_CLOSE = 1000;

/**
 * Sessions of the Realtime API by WebSocket: the stages of every call until the upgrade is answered, then messages in both
 * directions, of which each response is a call of its own (`session-responses.ts`).
 */
export function realtime(gateway: GatewayContext): Handler {
  return tracked(REALTIME_PATH, gateway, async (call) => {
    await openSession(call, gateway);
    return true;
  });
}

/** @throws GatewayError for everything that goes wrong before the upgrade is answered. */
async function openSession(call: TrackedCall, gateway: GatewayContext): Promise<void> {
  const { request, record, lease } = call;
  checkUpgrade(request.raw);
  gateway.sessions.refuseWhileDraining();
  record.trace?.stage('open');
  const operation = new SessionOperation('realtime', readModel(request), boundResponse, gateway);
  record.describe(operation);
  const model = findModel(gateway.catalog(), record.caller, operation.model, operation.kind);
  record.resolve(model.slug);
  // A message that is coming in lies in memory until it is whole.
  lease.take(MAX_MESSAGE_BYTES);
  record.trace?.stage('route');
  const routed = routeCall(operation, model, request, record.caller, gateway);
  record.trace?.stage('limit');
  const route = isLimited(record.caller, routed.candidates)
    ? await limitRoute(operation, routed, call, gateway)
    : routed;
  record.trace?.stage('reserve');
  const first = new CallRecord(newId(), REALTIME_PATH, record.caller);
  const candidates = await reserveRoute(operation, route, first, gateway);
  const connected = await connect(call, route, candidates, gateway);
  if (connected) await converse(call, connected, gateway);
}

/** The model that the address names. @throws GatewayError `invalid_request` for sessions of other kinds. */
function readModel({ query }: FastifyRequest): string {
  const { model, intent, call_id: callId } = query as Readonly<Record<string, unknown>>;
  for (const [param, value] of Object.entries({ intent, call_id: callId })) {
    if (value === undefined) continue;
    throw new GatewayError('invalid_request', `${param}: only sessions with a model are served.`, { param });
  }
  if (typeof model === 'string' && model !== '') return model;
  throw new GatewayError('invalid_request', 'model: must be named once in the query.', { param: 'model' });
}

/** An upstream that has begun the session, and what is held for its first response. */
interface Connected {
  readonly outcome: ConnectedOutcome;
  readonly held: HeldCandidate<Hold>;
}

/** @returns `undefined` where the client has left meanwhile. */
async function connect(
  { request, record }: TrackedCall,
  route: Route,
  candidates: readonly [HeldCandidate<Hold>, ...HeldCandidate<Hold>[]],
  gateway: GatewayContext,
): Promise<Connected | undefined> {
  const controller = new AbortController();
  const unwatch = watchLeaving(request.raw, () => controller.abort());
  record.trace?.stage('send');
  try {
    const { outcome, hold } = await tryModels(route, candidates, record, gateway, (attempt) =>
      sendWithinLimits(attempt, record, gateway, () =>
        connectChannel(attempt, record, controller.signal, gateway),
      ),
    );
    const held = candidates.find((candidate) => candidate.hold === hold);
    if (outcome.kind !== 'abandoned' && held && !hasLeft(request.raw)) return { outcome, held };
    if (outcome.kind !== 'abandoned') outcome.peer.close(NORMAL_CLOSE, '');
    releaseHold(hold.requestId, gateway);
    record.end('client_aborted', CLIENT_LEFT);
    return undefined;
  } catch (error) {
    releaseHold(candidates[0].hold.requestId, gateway);
    throw error;
  } finally {
    unwatch();
  }
}

/** Answers the upgrade, and stays until the session has ended and all of it is charged. */
async function converse(
  { request, reply, record }: TrackedCall,
  { outcome, held }: Connected,
  gateway: GatewayContext,
): Promise<void> {
  const { metrics, sessions } = gateway;
  record.priceVersionId = held.hold.price.versionId;
  reply.headers(describeRoute(record));
  const client = acceptUpgrade(request.raw, reply);
  if (!client) {
    outcome.peer.close(NORMAL_CLOSE, '');
    releaseHold(held.hold.requestId, gateway);
    record.end('client_aborted', CLIENT_LEFT);
    return;
  }
  record.trace?.stage('relay');
  // From here on by its slug: what its name stands for may change.
  const own = new SessionOperation('realtime', record.model, boundResponse, gateway);
  const facts = { request, session: record, operation: own, candidate: held };
  const session = new RealtimeSession(
    {
      client,
      upstream: outcome.peer,
      responses: new SessionResponses(facts, held.hold, gateway),
      transcripts: new SessionTranscripts(facts, gateway),
      record,
      health: new SessionHealth(outcome.attempt.part, gateway.health),
      upstreamModel: outcome.attempt.upstreamModel,
      channelModels: outcome.attempt.channel.models,
      pricesImages: held.hold.price.price.image_input_per_million !== undefined,
      times: SESSION_TIMES,
    },
    gateway,
  );
  sessions.begin(session);
  metrics.sessions.open++;
  // What gateways are scaled by.
  metrics.openStreams++;
  try {
    noteEnd(await session.run(), record, gateway);
  } finally {
    metrics.sessions.open--;
    metrics.openStreams--;
    sessions.end(session);
  }
}

/** The session's own row costs nothing: its responses have rows of their own. */
function noteEnd({ reason, error }: SessionEnd, record: CallRecord, { metrics }: GatewayContext): void {
  metrics.sessions.countClose(reason);
  if (error) record.fail(error);
  record.end(reason === 'upstream_lost' ? 'upstream_failed' : 'completed', SWITCHING_PROTOCOLS);
}
