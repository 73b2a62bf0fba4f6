import type { CallerToken } from '@mg/contract';
import { findChatProtocol, readGeminiEnvelope, readMessagesEnvelope } from '@mg/protocols';
import type { FastifyRequest } from 'fastify';
import { findModel } from '../call/find-model.js';
import { estimatePrompt } from '../chat/estimate-usage.js';
import type { Kit } from '../kit.js';
import { splitGeminiPath } from './chat-endpoints.js';

/** `POST /v1/messages/count_tokens`: counted here by tokenizer, so that it is free and works for every channel. */
export async function countMessagesTokens(
  body: Buffer,
  request: FastifyRequest,
  caller: CallerToken,
  kit: Kit,
): Promise<{ input_tokens: number }> {
  const envelope = readMessagesEnvelope(body, { needsMaxTokens: false });
  findModel(kit.catalog(), caller, envelope.model, 'chat');
  const protocol = findChatProtocol('anthropic-messages');
  const chat = { protocol, envelope, framing: 'sse' as const, body, headers: request.headers };
  return { input_tokens: (await estimatePrompt(chat)).inputTokens };
}

/** `POST /v1beta/models/{model}:countTokens`, whose body is `contents` or a whole `generateContentRequest`. */
export async function countGeminiTokens(
  body: Buffer,
  request: FastifyRequest,
  caller: CallerToken,
  kit: Kit,
): Promise<{ totalTokens: number }> {
  const { model } = splitGeminiPath(request);
  findModel(kit.catalog(), caller, model, 'chat');
  const envelope = readGeminiEnvelope(unwrapCount(body), model, false);
  const protocol = findChatProtocol('gemini-generate');
  const chat = { protocol, envelope, framing: 'sse' as const, body, headers: request.headers };
  return { totalTokens: (await estimatePrompt(chat)).inputTokens };
}

function unwrapCount(body: Buffer): Buffer {
  try {
    const parsed = JSON.parse(body.toString('utf8')) as { generateContentRequest?: unknown };
    return parsed.generateContentRequest === undefined
      ? body
      : Buffer.from(JSON.stringify(parsed.generateContentRequest));
  } catch {
    return body;
  }
}
