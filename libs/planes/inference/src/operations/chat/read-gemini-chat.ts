import { findChatProtocol } from '@mg/protocols';
import type { FastifyRequest } from 'fastify';
import { splitGeminiPath } from '../../edge/gemini-path.js';
import { ChatRequest } from './chat-request.js';

/** A call of `generateContent` or `streamGenerateContent`. @throws GatewayError `invalid_request` naming the field. */
export function readGeminiChat(request: FastifyRequest, body: Buffer): ChatRequest {
  const query = request.query as Record<string, unknown>;
  const protocol = findChatProtocol('gemini-generate');
  const { envelope, framing } = protocol.readCall(body, { ...splitGeminiPath(request), query });
  return new ChatRequest(protocol.name, envelope, body, request.headers, framing);
}
