import { GatewayError } from '@mg/contract';
import {
  findChatProtocol,
  type Framing,
  type ClientProtocolName,
  readChatEnvelope,
  readCompletionEnvelope,
  readGeminiEnvelope,
  readMessagesEnvelope,
  readResponsesEnvelope,
} from '@mg/protocols';
import type { FastifyRequest } from 'fastify';
import type { ChatRequest } from '../chat/chat-call.js';

/** An endpoint that takes chats in one protocol. */
export interface ChatEndpoint {
  readonly url: string;
  readonly protocol: ClientProtocolName;
  /** @throws GatewayError `invalid_request` naming the field. */
  read(request: FastifyRequest, body: Buffer): ChatRequest;
}

export const CHAT_ENDPOINTS: readonly ChatEndpoint[] = [
  {
    url: '/v1/chat/completions',
    protocol: 'openai-chat',
    read: (request, body) => toChat('openai-chat', readChatEnvelope(body), body, request),
  },
  {
    url: '/v1/messages',
    protocol: 'anthropic-messages',
    read: (request, body) => toChat('anthropic-messages', readMessagesEnvelope(body), body, request),
  },
  {
    url: '/v1/responses',
    protocol: 'openai-responses',
    read: (request, body) => toChat('openai-responses', readResponsesEnvelope(body), body, request),
  },
  {
    url: '/v1/completions',
    protocol: 'openai-completions',
    read: (request, body) => toChat('openai-completions', readCompletionEnvelope(body), body, request),
  },
];

/** What stands behind `models/`: a model, which may hold slashes and colons, and a method after the last colon. */
export function splitGeminiPath(request: FastifyRequest): { model: string; method: string } {
  const path = (request.params as { '*': string })['*'];
  const colon = path.lastIndexOf(':');
  return colon < 0
    ? { model: path, method: '' }
    : { model: path.slice(0, colon), method: path.slice(colon + 1) };
}

/**
 * A call of `generateContent` or `streamGenerateContent`. It streams by its method, by the query `stream=true`, or by
 * `stream` in the body (specification, section 4, rule 3). Google streams a JSON array unless asked for `alt=sse`.
 */
export function readGeminiChat(request: FastifyRequest, body: Buffer): ChatRequest {
  const { model, method } = splitGeminiPath(request);
  const query = request.query as Record<string, unknown>;
  const byMethod = method === 'streamGenerateContent';
  const envelope = readGeminiEnvelope(body, model, byMethod || readStreamFlag(query));
  const framing: Framing = byMethod && query.alt !== 'sse' ? 'json-array' : 'sse';
  return { ...toChat('gemini-generate', envelope, body, request), framing };
}

function readStreamFlag({ stream }: Record<string, unknown>): boolean {
  if (stream === undefined || stream === 'false' || stream === '0') return false;
  if (stream === 'true' || stream === '1' || stream === '') return true;
  throw new GatewayError('invalid_request', 'stream must be true or false.', { param: 'stream' });
}

function toChat(
  protocol: ClientProtocolName,
  envelope: ChatRequest['envelope'],
  body: Buffer,
  { headers }: FastifyRequest,
): ChatRequest {
  return { protocol: findChatProtocol(protocol), envelope, framing: 'sse', body, headers };
}
