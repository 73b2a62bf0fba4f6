import type { GatewayError } from '@mg/contract';
import type { Fault } from '../canonical/events.js';
import type { Framing } from '../chat/chat-protocol.js';
import { readFaultClass } from '../canonical/read-fault-class.js';
import { readObject, readText } from '../canonical/read-fields.js';
import { encodeFault, readFaultObject, renderOpenAiError } from '../openai-chat/errors.js';
import { isObject, type JsonObject } from '../json.js';
import { weigh } from '../strict-json/stringify-in-slices.js';

/** An error in the middle of a stream, as an event of the client's protocol. */
export function renderResponsesErrorEvent(
  error: GatewayError,
  requestId: string,
  _framing: Framing,
  number: number,
): string {
  const body = renderOpenAiError(error, requestId);
  const facts = isObject(body.error) ? body.error : {};
  return writeErrorEvent({ ...facts, ...body }, number);
}

/**
 * `response.failed` as the upstream sent it, for agents that read nothing else: the code tells them to shorten the conversation
 * or to wait. What concerns our account has no code of the upstream's.
 */
export function renderFailedResponse(
  fault: JsonObject,
  error: GatewayError,
  requestId: string,
): string | undefined {
  if (fault.type !== 'response.failed' || !isObject(fault.response)) return undefined;
  const own = isObject(fault.response.error) ? readText(fault.response.error.code) : undefined;
  const isOurs = error.code !== 'upstream_error' || readFaultClass(fault) === 'credential';
  const { detail, error: shown } = renderOpenAiError(error, requestId);
  const { message, code } = shown as JsonObject;
  const response = {
    ...leaveOutLong(fault.response),
    error: { code: isOurs ? code : (own ?? code), message },
    detail,
  };
  return `event: response.failed\ndata: ${JSON.stringify({ ...fault, response })}\n\n`;
}

/** Of a member of a failed response, in characters and in values: what fails is written in one step. */
const LONGEST_TEXT = 256 * 1024;
const MOST_VALUES = 5_000;

/** A response without what is long in it, which the client was sent before or said itself. */
function leaveOutLong(response: JsonObject): JsonObject {
  const kept = Object.entries(response).filter(([, value]) =>
    typeof value === 'string' ? value.length <= LONGEST_TEXT : weigh(value, MOST_VALUES) < MOST_VALUES,
  );
  const brief: JsonObject = Object.fromEntries(kept);
  if (response.output !== undefined) brief.output ??= [];
  return brief;
}

/** SDKs read the facts under `error`, types say that they stand beside `type`: they stand in both places. */
export function encodeErrorEvent(fault: Fault, sequence: number): string {
  const body = encodeFault(fault);
  return writeErrorEvent({ ...readObject(body.error), ...body }, sequence);
}

function writeErrorEvent(facts: JsonObject, sequence: number): string {
  const event = { ...facts, type: 'error', sequence_number: sequence };
  return `event: error\ndata: ${JSON.stringify(event)}\n\n`;
}

/** What an upstream said about a failure: an error body, an `error` event, or a response that failed. */
export function readResponsesFaultObject(parsed: JsonObject): Fault | undefined {
  const response = isObject(parsed.response) ? parsed.response : parsed;
  const fault = readFaultObject(isObject(response.error) ? response : parsed);
  return fault?.type === 'error' ? { ...fault, type: undefined } : fault;
}
