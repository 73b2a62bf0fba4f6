import { applyVariant, GatewayError } from '@mg/contract';
import { isKnownBeforehand } from '@mg/pricing';
import { gatherBytes, type OutgoingBody } from '@mg/protocols';
import { buildExchange, type SurfaceCall } from '@mg/providers';
import { callLocally, type UpstreamCall, UpstreamFailure } from '@mg/transport';
import { signFor } from '../call/channel-endpoint.js';
import { classifyFailure, classifyGarbage, classifyRefusal, type Fault } from '../call/classify-failure.js';
import { DroppedFields } from '../call/dropped-fields.js';
import type { FaultOutcome, TimedAttempt } from '../call/try-channels.js';
import type { Kit } from '../kit.js';
import type { ExchangeCall } from './exchange-call.js';
import { fetchMedia } from './fetch-media.js';
import { type ExchangeEndpoint, findExchangeSurface } from './find-exchange-surface.js';
import {
  type ExchangeLane,
  type ExchangeOutcome,
  openPassage,
  openStream,
  readAnswers,
  type StreamingLane,
} from './read-answers.js';

/** A 5xx of an upstream, or none of its statuses at all. */
const FAILED = 500;

/** Asks one channel. All of its answers have to be whole, or the beginning of its one stream good. */
export async function sendExchange(
  attempt: TimedAttempt,
  call: ExchangeCall,
  kit: Kit,
): Promise<ExchangeOutcome> {
  const outcome = await askChannel(attempt, call, kit);
  return outcome.kind === 'fault' && call.exchange.kind === 'image'
    ? fault(stopWhereMade(outcome.fault))
    : outcome;
}

/** A picture that may have been made already is not ordered a second time: the first one is billed to us all the same. */
function stopWhereMade(reason: Fault): Fault {
  const { kind, status } = reason;
  const isAnswered = status !== undefined && status > 200 && status < FAILED;
  return kind === 'broken' && !isAnswered ? { ...reason, mayGoOn: false } : reason;
}

async function askChannel(attempt: TimedAttempt, call: ExchangeCall, kit: Kit): Promise<ExchangeOutcome> {
  const endpoint = findExchangeSurface(attempt.channel, attempt.upstreamModel, call.exchange);
  if (!endpoint) {
    return fault(classifyGarbage(`a channel of type ${attempt.channel.type} does not serve this call`));
  }
  const calls: UpstreamCall[] = [];
  const abortAll = () => {
    for (const one of calls) {
      // Nobody waits for the answers any more.
      one.reply.catch(() => undefined);
      one.abort();
    }
  };
  try {
    const exchange = await fetchMedia(call.exchange, endpoint.surface.protocol, kit.mediaFetching);
    const lane = prepareLane(endpoint, attempt, { ...call, exchange });
    const asked = { endpoint, attempt, lane };
    for (const body of lane.bodies) calls.push(await callUpstream(asked, body, call, kit));
    const isPassage = passes(lane, call);
    if (streams(lane) || isPassage) call.client.watch(abortAll);
    const outcome = streams(lane)
      ? await openStream(lane, calls, call)
      : await (isPassage ? openPassage : readAnswers)(lane, calls, call);
    if (outcome.kind === 'fault') abortAll();
    return outcome;
  } catch (error) {
    abortAll();
    if (error instanceof GatewayError) return fault(blame(error));
    if (!(error instanceof UpstreamFailure)) throw error;
    return call.client.left ? { kind: 'abandoned' } : fault(classifyFailure(error));
  }
}

/** An answer that could not be read is the channel's fault; what it cannot carry, and want of memory, is nobody's. */
function blame(error: GatewayError): Fault {
  return error.code === 'upstream_error' ? classifyGarbage(error.message) : classifyRefusal(error);
}

function streams(lane: ExchangeLane): lane is StreamingLane {
  return lane.createReader !== undefined;
}

/** An answer goes on unread where nothing in it is charged for. */
function passes({ passesUnread }: ExchangeLane, { hold }: ExchangeCall): boolean {
  return passesUnread !== undefined && isKnownBeforehand(applyVariant(hold.price.price, hold.variant));
}

function prepareLane(endpoint: ExchangeEndpoint, attempt: TimedAttempt, call: ExchangeCall): ExchangeLane {
  const { surface, provider } = endpoint;
  const dropped = new DroppedFields();
  const asking = call.exchange.prepare({
    protocol: surface.protocol,
    model: attempt.upstreamModel,
    channelType: provider.id,
    traits: surface.traits?.(attempt.upstreamModel, attempt.channel.settings) ?? {},
    dropped,
  });
  if (!dropped.isEmpty && call.strict) throw dropped.toRefusal(provider.id);
  return { ...asking, dropped: dropped.isEmpty ? undefined : dropped };
}

interface Asked {
  readonly endpoint: ExchangeEndpoint;
  readonly attempt: TimedAttempt;
  readonly lane: ExchangeLane;
}

async function callUpstream(
  { endpoint, attempt, lane }: Asked,
  body: OutgoingBody,
  { lease, record }: ExchangeCall,
  kit: Kit,
): Promise<UpstreamCall> {
  const { surface } = endpoint;
  const { channel, upstreamModel } = attempt;
  const { answer } = surface;
  const call: SurfaceCall = {
    model: upstreamModel,
    stream: lane.createReader !== undefined,
    settings: channel.settings,
  };
  if (answer) {
    const { contentType, bytes } = body;
    // What answers within this process reads its request as a whole.
    if (!Buffer.isBuffer(bytes)) lease.take(bytes.length);
    const whole = await gatherBytes(bytes);
    return callLocally((signal) => answer({ body: whole, contentType, path: surface.path(call), signal }));
  }
  const request = await buildExchange(
    { ...endpoint, baseUrl: endpoint.baseUrl ?? '', call, body },
    signFor(channel, kit.tokenExchange),
  );
  const { stream: streamed } = call;
  return kit.upstream.call({ ...request, hops: record.hops, streamed, timeouts: attempt.timeouts });
}

function fault(value: FaultOutcome['fault']): FaultOutcome {
  return { kind: 'fault', fault: value };
}
