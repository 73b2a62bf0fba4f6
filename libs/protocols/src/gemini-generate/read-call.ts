import type { CallAddress, ReadCall } from '../chat/chat-protocol.js';
import { refuseField } from '../canonical/refuse.js';
import { readGeminiEnvelope } from './read-envelope.js';

/**
 * Reads a call of `generateContent` or `streamGenerateContent`. It streams by its method, by the query `stream=true`, or
 * by `stream` in the body (specification, section 4, rule 3). Google streams a JSON array unless asked for `alt=sse`.
 *
 * @throws GatewayError `invalid_request` naming the field.
 */
export function readGeminiCall(body: Buffer, { model = '', method, query }: CallAddress): ReadCall {
  const byMethod = method === 'streamGenerateContent';
  const envelope = readGeminiEnvelope(body, model, byMethod || readStreamFlag(query.stream));
  return { envelope, framing: byMethod && query.alt !== 'sse' ? 'json-array' : 'sse' };
}

function readStreamFlag(stream: unknown): boolean {
  if (stream === undefined || stream === 'false' || stream === '0') return false;
  if (stream === 'true' || stream === '1' || stream === '') return true;
  return refuseField('stream', 'must be true or false');
}
