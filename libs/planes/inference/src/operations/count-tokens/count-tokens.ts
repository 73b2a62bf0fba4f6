import { GatewayError } from '@mg/contract';
import {
  findChatProtocol,
  type JsonObject,
  GEMINI_NAMES,
  parseRequestBody,
  readCachedContentId,
  readGeminiEnvelope,
  readMessagesEnvelope,
  stringifyInSlices,
} from '@mg/protocols';
import { findModel } from '../../call/find-model.js';
import { type FreeCall, MAX_FREE_JSON_BYTES } from '../../call/free-call.js';
import type { GatewayContext } from '../../call/gateway-context.js';
import { splitGeminiPath } from '../../edge/gemini-path.js';
import { nextTurn } from '../../edge/loop-turns.js';
import { parseWritten } from '../../edge/read-json-body.js';
import { ChatRequest } from '../chat/chat-request.js';
import { inlineStoredFiles } from '../../call/inline-stored-files.js';
import { recallConversation } from '../chat/recall-conversation.js';
import { estimatePrompt } from '../chat/estimate-usage.js';
import { requestCount } from './request-count.js';
import type { CountFigure } from './count-operation.js';

/** Reports that a count is a tokenizer's and not the provider's: neither dialect has a field for that. */
const ESTIMATED_HEADER = 'x-gateway-estimated';

type Answer = (call: FreeCall, gateway: GatewayContext) => Promise<JsonObject>;

/** `POST /v1/messages/count_tokens`: the provider's own count where a channel can be asked, else a tokenizer's. */
export const countMessagesTokens: Answer = async (call, gateway) => {
  const { body: sent, request } = call;
  const asked = readMessagesEnvelope(sent, { needsMaxTokens: false });
  const { files } = findChatProtocol('anthropic-messages');
  const named = { body: sent, parsed: asked.parsed, files };
  const inlined = await inlineStoredFiles(named, request, call, gateway, MAX_FREE_JSON_BYTES);
  const envelope = inlined ? readMessagesEnvelope(inlined, { needsMaxTokens: false }) : asked;
  const chat = new ChatRequest('anthropic-messages', envelope, inlined ?? sent, request.headers);
  return count({ chat, figure: 'input_tokens', endpoint: '/v1/messages/count_tokens' }, call, gateway);
};

/** `POST /v1/responses/input_tokens`: with the conversation that the request goes on from. */
export const countResponsesTokens: Answer = async (call, gateway) => {
  const { request } = call;
  const protocol = findChatProtocol('openai-responses');
  const recalled = await recallConversation(call.body, protocol, call, gateway);
  const whole = recalled?.body ?? call.body;
  const { parsed } = protocol.readCall(whole, { query: {} }).envelope;
  const named = { body: whole, parsed, files: protocol.files };
  const body = (await inlineStoredFiles(named, request, call, gateway, MAX_FREE_JSON_BYTES)) ?? whole;
  const { envelope } = protocol.readCall(body, { query: {} });
  const chat = new ChatRequest('openai-responses', envelope, body, request.headers);
  const endpoint = '/v1/responses/input_tokens';
  const counted = await count({ chat, figure: 'input_tokens', endpoint }, call, gateway);
  return { object: 'response.input_tokens', ...counted };
};

/** `POST models/{model}:countTokens`, whose body is `contents` or a whole `generateContentRequest`. */
export const countGeminiTokens: (endpoint: string) => Answer = (endpoint) => async (call, gateway) => {
  const { request } = call;
  const { model } = splitGeminiPath(request);
  const sent = await unwrapCount(call.body);
  const asked = readGeminiEnvelope(sent, model, false);
  const { files } = findChatProtocol('gemini-generate');
  const named = { body: sent, parsed: asked.parsed, files };
  const inlined = await inlineStoredFiles(named, request, call, gateway, MAX_FREE_JSON_BYTES);
  const envelope = inlined ? readGeminiEnvelope(inlined, model, false) : asked;
  if (readCachedContentId(envelope.parsed) !== undefined) {
    throw new GatewayError(
      'invalid_request',
      'cachedContent is not counted: its own answer says its tokens.',
      {
        param: 'cachedContent',
      },
    );
  }
  const chat = new ChatRequest('gemini-generate', envelope, inlined ?? sent, request.headers);
  return count({ chat, figure: 'totalTokens', endpoint }, call, gateway);
};

interface Counting {
  readonly chat: ChatRequest;
  readonly figure: CountFigure;
  readonly endpoint: string;
}

async function count(
  { chat, figure, endpoint }: Counting,
  { caller, request, reply, lease }: FreeCall,
  gateway: GatewayContext,
): Promise<JsonObject> {
  const model = findModel(gateway.catalog(), caller, chat.envelope.model, 'chat');
  const question = { requestId: request.id, endpoint, caller, model, request: chat, figure, lease };
  const counted = await requestCount(question, gateway);
  if (counted) return counted;
  reply.header(ESTIMATED_HEADER, 'true');
  return { [figure]: (await estimatePrompt(chat, gateway.counter)).inputTokens };
}

/** @throws GatewayError `invalid_request` when the body says twice what is to be counted. */
async function unwrapCount(body: Buffer): Promise<Buffer> {
  const parsed = parseRequestBody(body, GEMINI_NAMES);
  const wrapped = parsed.generateContentRequest ?? parsed.generate_content_request;
  if (wrapped === undefined) return body;
  if (parsed.contents === undefined) {
    const whole = await stringifyInSlices(wrapped, nextTurn);
    await parseWritten(whole, GEMINI_NAMES);
    return whole;
  }
  throw new GatewayError('invalid_request', 'contents must be left out beside generateContentRequest.', {
    param: 'contents',
  });
}
