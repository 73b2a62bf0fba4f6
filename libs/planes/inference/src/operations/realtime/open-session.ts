import { newId } from '@mg/contract';
import type { Peer } from '@mg/transport';
import { CallRecord } from '../../call/call-record.js';
import { findModel } from '../../call/find-model.js';
import type { GatewayContext } from '../../call/gateway-context.js';
import type { Hold } from '../../call/hold.js';
import { isLimited, limitRoute, showModelLimits } from '../../call/limit-call.js';
import { type HeldCandidate, reserveOrWait } from '../../call/reserve-route.js';
import { type Route, routeCall } from '../../call/route-call.js';
import { sendWithinLimits } from '../../call/send-within-limits.js';
import { releaseHold } from '../../call/settle.js';
import type { TrackedCall } from '../../call/tracked-call.js';
import { tryModels } from '../../call/try-models.js';
import { connectChannel, type ConnectedOutcome, type SessionWish } from './connect-channel.js';
import { RealtimeSession } from './realtime-session.js';
import { NORMAL_CLOSE, type SessionEnd } from './session-end.js';
import { SessionHealth } from './session-health.js';
import type { SessionOperation } from './session-operation.js';
import { SessionResponses } from './session-responses.js';
import { SessionTranscripts } from './session-transcripts.js';

const SWITCHING_PROTOCOLS = 101;
const CLIENT_LEFT = 499;

/** An upstream that has begun the session, and what is held for its first response. */
export interface Connected {
  readonly outcome: ConnectedOutcome;
  readonly held: HeldCandidate<Hold>;
}

/**
 * The stages of every call, up to an upstream that has begun the session.
 *
 * @param left aborts when the client leaves.
 * @returns `undefined` where the client has left meanwhile.
 * @throws GatewayError for everything that goes wrong before.
 */
export async function openSession(
  wish: SessionWish,
  operation: SessionOperation,
  call: TrackedCall,
  left: AbortSignal,
  gateway: GatewayContext,
): Promise<Connected | undefined> {
  const { request, record } = call;
  record.describe(operation);
  const model = findModel(gateway.catalog(), record.caller, operation.model, operation.kind);
  record.resolve(model.slug);
  showModelLimits(model, request, record.caller, gateway);
  record.trace?.stage('route');
  const routed = routeCall(operation, model, request, record.caller, gateway);
  record.trace?.stage('limit');
  const limited = isLimited(record.caller, routed.candidates)
    ? await limitRoute(operation, routed, call, gateway)
    : routed;
  record.trace?.stage('reserve');
  const first = new CallRecord(newId(), record.endpoint, record.caller);
  const limitedCall = { ...call, planned: routed, limited };
  const { route, candidates } = await reserveOrWait(operation, limitedCall, first, gateway);
  record.trace?.stage('send');
  return connect(wish, record, route, candidates, left, gateway);
}

async function connect(
  wish: SessionWish,
  record: CallRecord,
  route: Route,
  candidates: readonly [HeldCandidate<Hold>, ...HeldCandidate<Hold>[]],
  left: AbortSignal,
  gateway: GatewayContext,
): Promise<Connected | undefined> {
  try {
    const { outcome, hold } = await tryModels(route, candidates, record, gateway, (attempt) =>
      sendWithinLimits(attempt, record, gateway, () => connectChannel(attempt, wish, record, left, gateway)),
    );
    const held = candidates.find((candidate) => candidate.hold === hold);
    if (outcome.kind !== 'abandoned' && held && !left.aborted) return { outcome, held };
    if (outcome.kind !== 'abandoned') outcome.peer.close(NORMAL_CLOSE, '');
    releaseHold(hold.requestId, gateway);
    record.end('client_aborted', CLIENT_LEFT);
    return undefined;
  } catch (error) {
    releaseHold(candidates[0].hold.requestId, gateway);
    throw error;
  }
}

/** The client has left before its session began. */
export function abandonSession(
  { outcome, held }: Connected,
  record: CallRecord,
  gateway: GatewayContext,
): void {
  outcome.peer.close(NORMAL_CLOSE, '');
  releaseHold(held.hold.requestId, gateway);
  record.end('client_aborted', CLIENT_LEFT);
}

/**
 * Passes messages on, and stays until the session has ended and all of it is charged.
 *
 * @param operation with the model by its slug: what its name stands for may change.
 */
export async function runSession(
  client: Peer,
  { protocol }: SessionWish,
  operation: SessionOperation,
  { request, record }: TrackedCall,
  { outcome, held }: Connected,
  gateway: GatewayContext,
): Promise<void> {
  const { metrics, sessions } = gateway;
  record.trace?.stage('relay');
  record.priceVersionId = held.hold.price.versionId;
  const { channel } = outcome.attempt;
  const facts = { request, session: record, operation, candidate: held, channel, audio: protocol.audio };
  const [ofResponse, ofTranscript] =
    operation.kind === 'transcription' ? [undefined, held.hold] : [held.hold, undefined];
  const session = new RealtimeSession(
    {
      protocol,
      client,
      upstream: outcome.peer,
      responses: new SessionResponses(facts, ofResponse, gateway),
      transcripts: new SessionTranscripts(facts, ofTranscript, channel.models, gateway),
      record,
      health: new SessionHealth(outcome.attempt, gateway.health),
      upstreamModel: outcome.attempt.upstreamModel,
      price: held.hold.price.price,
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
