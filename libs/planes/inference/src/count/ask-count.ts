import {
  type CallerToken,
  type Channel,
  type ChannelTimeouts,
  GatewayError,
  HOPS_HEADER,
  type Model,
  readHops,
} from '@mg/contract';
import { findCodec, type JsonObject, parseObject } from '@mg/protocols';
import type { Attempt } from '@mg/routing';
import { type UpstreamReply, UpstreamFailure } from '@mg/transport';
import { CallRecord } from '../call/call-record.js';
import { addressRequest, type ChannelEndpoint, findEndpoint } from '../call/channel-endpoint.js';
import { classifyStatus } from '../call/classify-failure.js';
import { DroppedFields } from '../call/dropped-fields.js';
import { sizeChat } from '../chat/size-chat.js';
import { planCall } from '../call/plan-call.js';
import { readWholeBody } from '../call/read-body.js';
import { reserve } from '../call/reserve.js';
import { release } from '../call/settle.js';
import type { ChatRequest } from '../chat/chat-call.js';
import type { Kit } from '../kit.js';
import { isNative } from '../lanes/prepare-lane.js';

const MAX_ANSWER_BYTES = 64 * 1024;

/** A request to count, as it came in. */
export interface CountRequest {
  readonly requestId: string;
  readonly endpoint: string;
  readonly caller: CallerToken;
  readonly model: Model;
  readonly chat: ChatRequest;
  /** Member of an answer in the client's protocol that holds the count. */
  readonly figure: 'input_tokens' | 'totalTokens';
}

/**
 * Asks the first channel that counts tokens, free of charge: in the client's own bytes where it speaks the client's
 * protocol, else converted as a chat would be.
 *
 * Counting upstream costs the caller nothing, but our account has its limits there: whoever could not pay for the prompt
 * is not served. Funds are asked for as for a call without an answer, and given back at once. A channel that fails here
 * is not put to rest, since that says nothing of its chats.
 *
 * @returns `undefined` when no channel can be asked or its answer is no count: the tokens are then counted here.
 * @throws GatewayError `invalid_request` with the upstream's words when it finds fault with the client's own bytes.
 */
export async function askCount(count: CountRequest, kit: Kit): Promise<JsonObject | undefined> {
  const found = findCounter(count, kit);
  if (!found || !(await canPay(count, kit))) return undefined;
  try {
    return await ask(found, count, kit);
  } catch (error) {
    if (error instanceof UpstreamFailure) return undefined;
    throw error;
  }
}

interface Counter {
  readonly attempt: Attempt;
  readonly endpoint: ChannelEndpoint;
  readonly isNative: boolean;
  readonly body: Buffer;
}

function findCounter({ chat, model }: CountRequest, kit: Kit): Counter | undefined {
  for (const attempt of listAttempts(model.slug, kit)) {
    const { channel, upstreamModel } = attempt;
    const endpoint = findEndpoint(channel, 'count-tokens', upstreamModel, chat.protocol.name);
    if (!endpoint) continue;
    const native = isNative(endpoint, attempt, chat);
    const body = native ? editBody(attempt, chat) : convertBody(endpoint, attempt, chat);
    if (body) return { attempt, endpoint, isNative: native, body };
  }
  return undefined;
}

function editBody({ upstreamModel: model }: Attempt, { protocol, body, envelope }: ChatRequest): Buffer {
  return protocol.editRequest(body, envelope, {
    model,
    forceUsage: false,
    cap: undefined,
    capField: 'max_tokens',
  });
}

/** `undefined` where the channel's protocol cannot carry what is to be counted. What it leaves out is not billed either. */
function convertBody(
  { surface, traits }: ChannelEndpoint,
  { channel, upstreamModel }: Attempt,
  { protocol, envelope }: ChatRequest,
): Buffer | undefined {
  try {
    const request = protocol.codec.decodeRequest(envelope.parsed, envelope.model, false);
    const body = findCodec(surface.protocol).encodeRequest(request, {
      upstreamModel,
      channelType: channel.type,
      traits,
      client: protocol.name,
      dropped: new DroppedFields(protocol.name),
    });
    return Buffer.from(JSON.stringify(body));
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
}

function listAttempts(slug: string, kit: Kit): readonly Attempt[] {
  try {
    return planCall(slug, kit).attempts;
  } catch (error) {
    if (error instanceof GatewayError) return [];
    throw error;
  }
}

async function canPay(count: CountRequest, kit: Kit): Promise<boolean> {
  const record = new CallRecord(count.requestId, count.endpoint, count.caller);
  const size = {
    ...sizeChat(count.chat, count.model, { attempts: listAttempts(count.model.slug, kit) }),
    maxTokens: 0,
  };
  try {
    release(await reserve(record, count.model, size, kit), kit);
    return true;
  } catch (error) {
    if (error instanceof GatewayError) return false;
    throw error;
  }
}

async function ask(counter: Counter, count: CountRequest, kit: Kit): Promise<JsonObject | undefined> {
  const { endpoint, body } = counter;
  const { channel, upstreamModel } = counter.attempt;
  const request = await addressRequest({
    endpoint,
    channel,
    call: { model: upstreamModel, stream: false, settings: channel.settings },
    body,
    passedHeaders: counter.isNative ? pickHeaders(endpoint, count.chat) : {},
    tokens: kit.tokenExchange,
  });
  const hops = readHops(count.chat.headers[HOPS_HEADER], kit.installation);
  const call = kit.upstream.call({ ...request, hops, streamed: false, timeouts: limitCount(channel) });
  try {
    return await readCount(await call.reply, counter, count);
  } finally {
    call.abort();
  }
}

/** A count is made at once; one that is not is made here by a tokenizer, long before a chat's whole time is over. */
function limitCount({ timeouts }: Channel): ChannelTimeouts {
  return { ...timeouts, totalMs: Math.min(timeouts.firstByteMs, timeouts.totalMs) };
}

function pickHeaders({ surface }: ChannelEndpoint, { headers }: ChatRequest): Record<string, string> {
  const named = (surface.passHeaders ?? []).map((name) => [name, headers[name]] as const);
  return Object.fromEntries(named.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** An answer in the client's own words goes back as it is. Another's fault with a request says nothing to the client. */
async function readCount(
  reply: UpstreamReply,
  { endpoint, isNative: native }: Counter,
  { chat, figure }: CountRequest,
): Promise<JsonObject | undefined> {
  const { countedIn } = endpoint.surface;
  const isOwn = native && countedIn === figure;
  const text = (await readWholeBody(reply, MAX_ANSWER_BYTES)).toString('utf8');
  if (reply.status === 200) {
    const answer = parseObject(text);
    return isOwn || !countedIn ? answer : answer && { [figure]: answer[countedIn] };
  }
  if (!isOwn) return undefined;
  const { protocol } = chat;
  const { error, kind } = classifyStatus(reply.status, protocol.readComplaint(text), undefined);
  if (kind === undefined) throw error;
  return undefined;
}
