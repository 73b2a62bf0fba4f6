import type { GatewayError } from '@mg/contract';
import { isContextOverflow } from '../canonical/context-overflow.js';
import type { Fault } from '../canonical/events.js';
import { readText } from '../canonical/read-fields.js';
import { isObject, type JsonObject } from '../json.js';

/** Agents shorten a conversation when they read this text. */
const OVERFLOW = 'exceeds the maximum number of tokens';

const STATUSES: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  402: 'FAILED_PRECONDITION',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'INVALID_ARGUMENT',
  409: 'ABORTED',
  413: 'INVALID_ARGUMENT',
  415: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  502: 'INTERNAL',
  503: 'UNAVAILABLE',
};

/** The error answer of Google's dialect: `detail` as the specification has it, and `error` for official SDKs. */
export function renderGeminiError(error: GatewayError, requestId: string): JsonObject {
  const detail = error.toDetail(requestId);
  const message = markOverflow(detail.message);
  return { detail, error: { code: error.status, message, status: nameStatus(error.status) } };
}

/** An error in the middle of a stream, in the framing the client's stream has. */
export function renderGeminiErrorEvent(
  error: GatewayError,
  requestId: string,
  framing: 'sse' | 'json-array' = 'sse',
): string {
  const json = JSON.stringify(renderGeminiError(error, requestId));
  return framing === 'sse' ? `data: ${json}\r\n\r\n` : `,\r\n${json}]`;
}

/** Official SDKs see an error in a stream only by a number from 400 to 599 in `error.code`. */
export function writeFault(fault: Fault): JsonObject {
  const code = readFaultStatus(fault);
  return { error: { code, message: markOverflow(fault.message), status: nameStatus(code) } };
}

function markOverflow(message: string): string {
  if (!isContextOverflow(message) || message.includes(OVERFLOW)) return message;
  return `The input token count ${OVERFLOW} allowed: ${message}`;
}

function readFaultStatus({ message, type, code }: Fault): number {
  if (isContextOverflow(message)) return 400;
  const words = `${type ?? ''} ${code ?? ''}`.toLowerCase();
  if (/overloaded|unavailable/.test(words)) return 503;
  if (/invalid_request|invalid_argument|failed_precondition/.test(words)) return 400;
  return 500;
}

function nameStatus(status: number): string {
  return STATUSES[status] ?? 'UNKNOWN';
}

/** Reads `{error: {code, message, status}}`. */
export function readFaultObject(body: JsonObject): Fault | undefined {
  const error = isObject(body.error) ? body.error : {};
  const message = readText(error.message);
  if (message === undefined) return undefined;
  const code = typeof error.code === 'number' ? String(error.code) : readText(error.code);
  return { message, type: readText(error.status), code };
}
