import {
  type ChatEnvelope,
  editChatRequest,
  type JsonObject,
  parseObject,
  readOpenAiComplaint,
} from '@mg/protocols';
import type { Attempt } from '@mg/routing';
import { callLocally, type UpstreamCall, UpstreamFailure, type UpstreamReply } from '@mg/transport';
import { type ChannelEndpoint, findEndpoint } from '../call/channel-endpoint.js';
import {
  classifyFailure,
  classifyGarbage,
  classifyStatus,
  type Fault,
  readRetryAfterMs,
} from '../call/classify-failure.js';
import { PeekedStream } from '../call/peek-stream.js';
import { readWholeBody } from '../call/read-body.js';
import type { Kit } from '../kit.js';
import type { ChatCall } from './chat-call.js';

const MAX_ANSWER_BYTES = 32 * 1024 * 1024;
const MAX_ERROR_BYTES = 64 * 1024;
/** A stream that opens with an error event has the status 200 and is a failure all the same. */
const OPENED_WITH_ERROR = 500;

/** What an attempt brought: an answer to relay, or a fault. */
export type SendOutcome =
  | { readonly kind: 'answer'; readonly body: Buffer; readonly parsed: JsonObject }
  | { readonly kind: 'stream'; readonly stream: PeekedStream; readonly call: UpstreamCall }
  | { readonly kind: 'fault'; readonly fault: Fault }
  /** The client left while the channel was being asked. */
  | { readonly kind: 'abandoned' };

/** Asks one channel. An answer counts as good once it is whole, a stream once its first event is. */
export async function sendChat(attempt: Attempt, chat: ChatCall, kit: Kit): Promise<SendOutcome> {
  const endpoint = findEndpoint(attempt.channel, 'chat');
  if (!endpoint)
    return fault(classifyGarbage(`the channel type ${attempt.channel.type} does not serve chat`));
  const upstream = callUpstream(endpoint, attempt, chat, kit);
  if (chat.envelope.stream) chat.client.watch(() => upstream.abort());
  try {
    const reply = await upstream.reply;
    if (reply.status !== 200) return await readFault(reply, upstream);
    return chat.envelope.stream ? await openStream(reply, upstream) : await readAnswer(reply, upstream);
  } catch (error) {
    upstream.abort();
    if (!(error instanceof UpstreamFailure)) throw error;
    return chat.client.left ? { kind: 'abandoned' } : fault(classifyFailure(error));
  }
}

function callUpstream(endpoint: ChannelEndpoint, attempt: Attempt, chat: ChatCall, kit: Kit): UpstreamCall {
  const body = prepareBody(endpoint, attempt, chat);
  const { answer } = endpoint.surface;
  if (endpoint.url === undefined || answer) {
    return callLocally((signal) => {
      if (!answer) throw new UpstreamFailure('unreachable', 'the channel has no address');
      return answer({ body, signal });
    });
  }
  return kit.upstream.call({
    url: endpoint.url,
    headers: {
      ...endpoint.surface.authorize(endpoint.nextKey()),
      'content-type': 'application/json',
      accept: chat.envelope.stream ? 'text/event-stream' : 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'model-gateway',
    },
    body,
    timeouts: attempt.channel.timeouts,
  });
}

function prepareBody(endpoint: ChannelEndpoint, attempt: Attempt, chat: ChatCall): Buffer {
  const { quirks } = endpoint.surface;
  const { envelope, hold } = chat;
  return editChatRequest(chat.body, envelope, {
    model: attempt.upstreamModel,
    forceUsage: mustForceUsage(envelope) && quirks.streamUsage,
    cap: hold.cap === undefined ? undefined : { field: quirks.maxTokensField, tokens: hold.cap },
  });
}

/** A stream's usage is needed for the bill, whether the client wants to see it or not. */
function mustForceUsage(envelope: ChatEnvelope): boolean {
  return envelope.stream && !envelope.includeUsage;
}

async function readAnswer(reply: UpstreamReply, upstream: UpstreamCall): Promise<SendOutcome> {
  const body = await readWholeBody(reply, MAX_ANSWER_BYTES);
  const parsed = parseObject(body.toString('utf8'));
  if (!parsed || !Array.isArray(parsed.choices)) {
    upstream.abort();
    return fault(classifyGarbage('its answer is not a chat completion'));
  }
  return { kind: 'answer', body, parsed };
}

async function openStream(reply: UpstreamReply, upstream: UpstreamCall): Promise<SendOutcome> {
  const stream = new PeekedStream(reply);
  const opening = await stream.opening;
  switch (opening.kind) {
    case 'data':
      return { kind: 'stream', stream, call: upstream };
    case 'error':
      upstream.abort();
      return fault(
        classifyStatus(OPENED_WITH_ERROR, readOpenAiComplaint(JSON.stringify(opening.event)), undefined),
      );
    case 'failed':
      throw opening.failure;
    case 'nothing':
      return fault(classifyGarbage('its stream holds no event'));
  }
}

async function readFault(reply: UpstreamReply, upstream: UpstreamCall): Promise<SendOutcome> {
  const body = await readWholeBody(reply, MAX_ERROR_BYTES).catch(() => Buffer.alloc(0));
  upstream.abort();
  const retryAfterMs = readRetryAfterMs(reply.headers['retry-after'], Date.now());
  return fault(classifyStatus(reply.status, readOpenAiComplaint(body.toString('utf8')), retryAfterMs));
}

function fault(value: Fault): SendOutcome {
  return { kind: 'fault', fault: value };
}
