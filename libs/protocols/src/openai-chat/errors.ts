import type { GatewayError } from '@mg/contract';
import { isContextOverflow } from '../canonical/context-overflow.js';
import type { Fault } from '../canonical/events.js';
import type { UpstreamError } from '../canonical/upstream-error.js';
import { parseGeminiError } from '../canonical/google-error.js';
import { isObject, type JsonObject, parseObject } from '../json.js';

/** Agents shorten a conversation when a stream ends with this code. */
const OVERFLOW = 'context_length_exceeded';

/**
 * The error answer of the OpenAI dialect: `detail` as the specification has it, mirrored under `error` for official SDKs, and
 * what the upstream called it, which agents act on.
 */
export function renderOpenAiError(error: GatewayError, requestId: string): Record<string, unknown> {
  const detail = error.toDetail(requestId);
  const { message, type, code, param = null, upstream_code: upstreamCode } = detail;
  const own = upstreamCode === undefined ? {} : { upstream_code: upstreamCode };
  return { detail, error: { message, type, code, param, ...own } };
}

/** An error in the middle of a stream, as an event of the client's protocol. */
export function renderOpenAiErrorEvent(error: GatewayError, requestId: string): string {
  return `data: ${JSON.stringify(renderOpenAiError(error, requestId))}\n\n`;
}

/**
 * Reads the error body of an OpenAI-speaking upstream; look-alikes use `error`, `message` or `detail` as plain text too,
 * servers made with FastAPI list what is wrong with a body, and Google answers with the errors of its own API, as an array of one.
 *
 * @see https://ai.google.dev/gemini-api/docs/openai
 */
export function parseOpenAiError(body: string): UpstreamError {
  const parsed = parseObject(body);
  if (parsed ? isGoogles(parsed) : body.trimStart().startsWith('[')) return parseGeminiError(body);
  if (!parsed) return { message: undefined, param: undefined };
  const error = isObject(parsed.error) ? parsed.error : parsed;
  const message = [error.message, parsed.error, parsed.detail].find((text) => typeof text === 'string');
  if (message === undefined) return readValidation(isObject(error.message) ? error.message : error);
  return {
    message: message as string,
    param: typeof error.param === 'string' ? error.param : undefined,
    code: typeof error.code === 'string' ? error.code : undefined,
  };
}

/** `{error: {code: 400, message, status: "INVALID_ARGUMENT", details}}`. */
function isGoogles({ error }: JsonObject): boolean {
  return isObject(error) && typeof error.code === 'number' && typeof error.status === 'string';
}

/** Reads the first of `{detail: [{loc: ["body", "seed"], msg: "..."}]}`. */
function readValidation({ detail }: JsonObject): UpstreamError {
  const [first] = Array.isArray(detail) ? detail.filter(isObject) : [];
  const places: unknown[] = Array.isArray(first?.loc) ? first.loc : [];
  const param = places.filter((place) => place !== 'body').join('.');
  if (typeof first?.msg !== 'string') return { message: undefined, param: undefined };
  return param === ''
    ? { message: first.msg, param: undefined }
    : { message: `${param}: ${first.msg}`, param };
}

/** What an upstream said about a failure: `{error: {message, type, code}}`, `{error: "text"}` and `{object: "error", message}`. */
export function readFaultObject(parsed: JsonObject): Fault | undefined {
  const error = isObject(parsed.error) ? parsed.error : parsed;
  const message = [error.message, parsed.error, parsed.detail].find((text) => typeof text === 'string');
  if (typeof message !== 'string') return undefined;
  const code = typeof error.code === 'number' ? String(error.code) : error.code;
  return {
    message,
    type: typeof error.type === 'string' ? error.type : undefined,
    code: typeof code === 'string' ? code : undefined,
  };
}

/** A failure within a reply, as the data of an event. */
export function encodeFault({ message, type, code }: Fault): JsonObject {
  return {
    error: {
      message,
      type: type ?? 'api_error',
      code: isContextOverflow(message) ? OVERFLOW : (code ?? 'upstream_error'),
      param: null,
    },
  };
}
