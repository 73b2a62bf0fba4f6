import { GatewayError } from '@mg/contract';
import { findUpstreamProtocol, JsonShape, parseObject } from '@mg/protocols';
import type { SurfaceCall } from '@mg/providers';
import { callLocally, type UpstreamCall, UpstreamFailure, type UpstreamReply } from '@mg/transport';
import { addressRequest, type ChannelEndpoint, findEndpoint } from '../call/channel-endpoint.js';
import { classifyFailure, classifyGarbage, classifyRefusal, type Fault } from '../call/classify-failure.js';
import { PeekedStream } from '../call/peek-stream.js';
import { readWholeBody } from '../call/read-body.js';
import { readFault, readOpening } from '../call/read-fault.js';
import type { TimedAttempt } from '../call/try-channels.js';
import { isHeavy, nextTurn } from '../http/loop-turns.js';
import type { Kit } from '../kit.js';
import type { Lane, LaneAnswer } from '../lanes/lane.js';
import { prepareLane } from '../lanes/prepare-lane.js';
import type { ChatCall, HeldChat } from './chat-call.js';

const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

/** What an attempt brought: an answer to relay, or a fault. */
export type SendOutcome =
  | { readonly kind: 'answer'; readonly lane: Lane; readonly answer: LaneAnswer }
  | {
      readonly kind: 'stream';
      readonly lane: Lane;
      readonly stream: PeekedStream;
      readonly call: UpstreamCall;
    }
  | { readonly kind: 'fault'; readonly fault: Fault }
  /** The client left while the channel was being asked. */
  | { readonly kind: 'abandoned' };

/** Asks one channel. An answer counts as good once it is whole, a stream once its first event is. */
export async function sendChat(attempt: TimedAttempt, chat: ChatCall, kit: Kit): Promise<SendOutcome> {
  const { channel, upstreamModel } = attempt;
  const endpoint = findEndpoint(channel, 'chat', upstreamModel, chat.request.protocol.name);
  if (!endpoint) return fault(classifyGarbage(`a channel of type ${channel.type} does not serve this call`));
  let upstream: UpstreamCall | undefined;
  try {
    const prepared = prepareLane(endpoint, attempt, chat, kit.mediaFetching);
    const lane = prepared instanceof Promise ? await prepared : prepared;
    upstream = await callUpstream(endpoint, attempt, lane, chat, kit);
    const call = upstream;
    if (chat.request.envelope.stream) chat.client.watch(() => call.abort());
    const reply = await call.reply;
    if (reply.status !== 200) return await refuse(reply, call, endpoint);
    return chat.request.envelope.stream
      ? await openStream(reply, call, lane, endpoint)
      : await readAnswer(reply, call, lane, { surface: endpoint.surface, lease: chat.request.lease });
  } catch (error) {
    upstream?.abort();
    if (error instanceof GatewayError) return fault(classifyRefusal(error));
    if (!(error instanceof UpstreamFailure)) throw error;
    return chat.client.left ? { kind: 'abandoned' } : fault(classifyFailure(error));
  }
}

async function callUpstream(
  endpoint: ChannelEndpoint,
  attempt: TimedAttempt,
  lane: Lane,
  chat: ChatCall,
  kit: Kit,
): Promise<UpstreamCall> {
  const { channel, upstreamModel } = attempt;
  const { surface } = endpoint;
  const { answer } = surface;
  const call: SurfaceCall = {
    model: upstreamModel,
    stream: chat.request.envelope.stream,
    settings: channel.settings,
  };
  if (answer) return callLocally((signal) => answer({ body: lane.body, path: surface.path(call), signal }));
  const outgoing = addressRequest({
    endpoint,
    channel,
    call,
    body: lane.body,
    passedHeaders: passHeaders(endpoint, chat),
    tokens: kit.tokenExchange,
  });
  const request = outgoing instanceof Promise ? await outgoing : outgoing;
  const { stream: streamed } = call;
  return kit.upstream.call({ ...request, hops: chat.record.hops, streamed, timeouts: attempt.timeouts });
}

/** Headers that mean something to an upstream of the client's own protocol; nothing else of the client's goes along. */
function passHeaders({ surface }: ChannelEndpoint, { request }: ChatCall): Record<string, string> {
  const passed: Record<string, string> = {};
  if (surface.protocol !== request.protocol.name) return passed;
  for (const name of surface.passHeaders ?? []) {
    const value = request.headers[name];
    if (typeof value === 'string') passed[name] = value;
  }
  return passed;
}

async function readAnswer(
  reply: UpstreamReply,
  upstream: UpstreamCall,
  lane: Lane,
  { surface, lease }: Pick<ChannelEndpoint, 'surface'> & Pick<HeldChat, 'lease'>,
): Promise<SendOutcome> {
  const body = await readWholeBody(reply, MAX_ANSWER_BYTES, (bytes) => lease.take(bytes), new JsonShape());
  if (isHeavy(body.length)) await nextTurn();
  const parsed = parseObject(body.toString('utf8'));
  if (!parsed || !findUpstreamProtocol(surface.protocol).isAnswer(parsed)) {
    upstream.abort();
    return fault(classifyGarbage('its answer is not what its protocol says'));
  }
  return { kind: 'answer', lane, answer: lane.readAnswer(body, parsed) };
}

async function openStream(
  reply: UpstreamReply,
  upstream: UpstreamCall,
  lane: Lane,
  { surface }: ChannelEndpoint,
): Promise<SendOutcome> {
  const stream = new PeekedStream(reply, surface.framing);
  const wrong = await readOpening(stream, findUpstreamProtocol(surface.protocol).readComplaint);
  if (!wrong) return { kind: 'stream', lane, stream, call: upstream };
  upstream.abort();
  return fault(wrong);
}

async function refuse(
  reply: UpstreamReply,
  upstream: UpstreamCall,
  { surface }: ChannelEndpoint,
): Promise<SendOutcome> {
  const refused = await readFault(reply, findUpstreamProtocol(surface.protocol).readComplaint);
  upstream.abort();
  return fault(refused);
}

function fault(value: Fault): SendOutcome {
  return { kind: 'fault', fault: value };
}
