import { type JsonObject, parseObject } from '@mg/protocols';
import type { LocalAnswer, LocalReply } from '../descriptor.js';
import { replyWith } from './reply.js';

// The sandbox answers on the event loop of whoever asks it: what it is asked for may cost milliseconds, whatever it is.

/** Bodies in JSON are read in one step. */
const MAX_JSON_BYTES = 2 * 1024 * 1024;
/** Characters of a text that are looked at word by word. */
export const READ_CHARACTERS = 8_000;

/** An answer to a body in JSON, which large ones are refused for. */
export function answerJson(answer: (body: JsonObject) => LocalReply): LocalAnswer {
  return (request) => {
    if (!isTooLarge(request.body)) return answer(parseObject(request.body.toString()) ?? {});
    return replyWith(413, { error: { message: TOO_LARGE, type: 'invalid_request_error' } });
  };
}

export function isTooLarge(body: Buffer): boolean {
  return body.length > MAX_JSON_BYTES;
}

export const TOO_LARGE = `Simulated models read bodies up to ${MAX_JSON_BYTES} bytes.`;
