import type { Fault } from '../canonical/events.js';
import { readText } from '../canonical/read-fields.js';
import { isObject, type JsonObject, parseObject } from '../json.js';
import type { UpstreamError } from '../canonical/upstream-error.js';

/** Reads the error body of an upstream; it names no field. */
export function parseConverseError(body: string): UpstreamError {
  const parsed = parseObject(body);
  return { message: parsed && readFaultObject(parsed)?.message, param: undefined };
}

/** What an upstream said about a failure: `{message}` in a body, `{error: {type, message}}` in a stream. */
export function readFaultObject(parsed: JsonObject): Fault | undefined {
  const error = isObject(parsed.error) ? parsed.error : parsed;
  const message = readText(error.message) ?? readText(error.Message);
  if (message === undefined) return undefined;
  return { message, type: readText(error.type), code: undefined };
}

/** A failure within a stream: in the frames of AWS it is an exception, which our reader of frames writes like this. */
export function encodeFault({ message, type }: Fault): JsonObject {
  return { type: 'error', error: { type: type ?? 'internalServerException', message } };
}
