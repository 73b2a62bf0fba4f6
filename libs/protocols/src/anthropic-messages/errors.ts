import { type ErrorCode, type GatewayError, omitUndefined } from '@mg/contract';
import type { Fault } from '../canonical/events.js';
import { isContextOverflow } from '../canonical/context-overflow.js';
import { isObject, type JsonObject, parseObject } from '../json.js';
import { isTooDeep } from '../canonical/refuse.js';
import type { UpstreamError } from '../canonical/upstream-error.js';

/** Kinds of failure that this dialect calls otherwise than the gateway does. */
const TYPES: Partial<Record<ErrorCode, string>> = {
  request_too_large: 'request_too_large',
  idempotency_conflict: 'conflict_error',
  conflict: 'conflict_error',
  upstream_unavailable: 'overloaded_error',
  service_unavailable: 'overloaded_error',
};

const KNOWN_TYPES: ReadonlySet<string> = new Set([
  'invalid_request_error',
  'authentication_error',
  'billing_error',
  'permission_error',
  'not_found_error',
  'conflict_error',
  'request_too_large',
  'rate_limit_error',
  'timeout_error',
  'api_error',
  'overloaded_error',
]);

/** Agents shorten a conversation when they read this text. */
const OVERFLOW = 'prompt is too long';

/** The error answer of the Anthropic dialect: `detail` as the specification has it, mirrored under `error` for official SDKs. */
export function renderAnthropicError(error: GatewayError, requestId: string): Record<string, unknown> {
  const detail = error.toDetail(requestId);
  return {
    type: 'error',
    error: omitUndefined({
      type: TYPES[error.code] ?? detail.type,
      message: markOverflow(detail.message),
      details: error.details,
    }),
    request_id: requestId,
    detail,
  };
}

/** An error in the middle of a stream, as an event of the client's protocol. */
export function renderAnthropicErrorEvent(error: GatewayError, requestId: string): string {
  return `event: error\ndata: ${JSON.stringify(renderAnthropicError(error, requestId))}\n\n`;
}

/** Reads the error body of an Anthropic-speaking upstream. Some have a code, which Anthropic has not. */
export function parseAnthropicError(body: string): UpstreamError {
  const parsed = parseObject(body);
  const error = parsed && isObject(parsed.error) ? parsed.error : {};
  const fault = parsed && readFaultObject(parsed);
  return {
    message: fault?.message,
    param: undefined,
    code: fault?.code,
    details: isObject(error.details) && !isTooDeep(error.details) ? error.details : undefined,
  };
}

/** What an upstream of this protocol said about a failure: `{type: "error", error: {type, message}}`. */
export function readFaultObject(parsed: JsonObject): Fault | undefined {
  const error = isObject(parsed.error) ? parsed.error : parsed;
  const message = [error.message, parsed.error, parsed.detail].find((text) => typeof text === 'string');
  if (typeof message !== 'string') return undefined;
  const type = typeof error.type === 'string' && error.type !== 'error' ? error.type : undefined;
  return { message, type, code: typeof error.code === 'string' ? error.code : undefined };
}

/** A failure within a reply, as the body of an `error` event. */
export function encodeFault(fault: Fault): JsonObject {
  const type = fault.type !== undefined && KNOWN_TYPES.has(fault.type) ? fault.type : 'api_error';
  return { type: 'error', error: { type, message: markOverflow(fault.message) } };
}

function markOverflow(message: string): string {
  return isContextOverflow(message) && !message.includes(OVERFLOW) ? `${OVERFLOW}: ${message}` : message;
}
