import { GatewayError } from '@mg/contract';
import {
  findChatProtocol,
  type JsonObject,
  GEMINI_NAMES,
  parseRequestBody,
  readGeminiEnvelope,
  readMessagesEnvelope,
} from '@mg/protocols';
import { findModel } from '../call/find-model.js';
import type { ChatRequest } from '../chat/chat-call.js';
import { estimatePrompt } from '../chat/estimate-usage.js';
import { askCount, type CountRequest } from '../count/ask-count.js';
import type { Kit } from '../kit.js';
import { splitGeminiPath } from './chat-endpoints.js';
import type { FreeCall } from './serve-route.js';

/** Tells that a count is a tokenizer's and not the provider's: neither dialect has a field for that. */
const ESTIMATED_HEADER = 'x-gateway-estimated';

type Answer = (call: FreeCall, kit: Kit) => Promise<JsonObject>;

/** `POST /v1/messages/count_tokens`: the provider's own count where a channel can be asked, else a tokenizer's. */
export const countMessagesTokens: Answer = async (call, kit) => {
  const { body, request } = call;
  const envelope = readMessagesEnvelope(body, { needsMaxTokens: false });
  const protocol = findChatProtocol('anthropic-messages');
  const chat = { protocol, envelope, framing: 'sse' as const, body, headers: request.headers };
  return count({ chat, figure: 'input_tokens', endpoint: '/v1/messages/count_tokens' }, call, kit);
};

/** `POST models/{model}:countTokens`, whose body is `contents` or a whole `generateContentRequest`. */
export const countGeminiTokens: (endpoint: string) => Answer = (endpoint) => async (call, kit) => {
  const { body, request } = call;
  const { model } = splitGeminiPath(request);
  const envelope = readGeminiEnvelope(unwrapCount(body), model, false);
  const protocol = findChatProtocol('gemini-generate');
  const chat = { protocol, envelope, framing: 'sse' as const, body, headers: request.headers };
  return count({ chat, figure: 'totalTokens', endpoint }, call, kit);
};

interface Counting {
  readonly chat: ChatRequest;
  /** Field of an answer that holds the count. */
  readonly figure: CountRequest['figure'];
  readonly endpoint: string;
}

async function count(
  { chat, figure, endpoint }: Counting,
  { caller, request, reply }: FreeCall,
  kit: Kit,
): Promise<JsonObject> {
  const model = findModel(kit.catalog(), caller, chat.envelope.model, 'chat');
  const told = await askCount({ requestId: request.id, endpoint, caller, model, chat, figure }, kit);
  if (told && Number.isSafeInteger(told[figure])) return told;
  reply.header(ESTIMATED_HEADER, 'true');
  return { [figure]: (await estimatePrompt(chat, kit.counter)).inputTokens };
}

/** @throws GatewayError `invalid_request` when the body says twice what is to be counted. */
function unwrapCount(body: Buffer): Buffer {
  const parsed = parseRequestBody(body, GEMINI_NAMES);
  const wrapped = parsed.generateContentRequest ?? parsed.generate_content_request;
  if (wrapped === undefined) return body;
  if (parsed.contents === undefined) return Buffer.from(JSON.stringify(wrapped));
  throw new GatewayError('invalid_request', 'contents must be left out beside generateContentRequest.', {
    param: 'contents',
  });
}
