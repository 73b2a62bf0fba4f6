import type { GatewayError } from '@mg/contract';
import type { Fault } from '../canonical/events.js';
import type { Framing } from '../chat/chat-protocol.js';
import { readFaultClass } from '../canonical/read-fault-class.js';
import { readObject, readText } from '../canonical/read-fields.js';
import { encodeFault, readFaultObject, renderOpenAiError } from '../openai-chat/errors.js';
import { isObject, type JsonObject } from '../json.js';

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
  const { response: failed, ...about } = fault;
  const response: JsonObject = {
    ...leaveOutLong(failed),
    error: { code: isOurs ? code : (own ?? code), message },
    detail,
  };
  if (failed.output !== undefined) response.output ??= [];
  return `event: response.failed\ndata: ${JSON.stringify({ ...leaveOutLong(about), response })}\n\n`;
}

/** Of a failed response, in characters: what fails is written in one step. */
const MOST_CHARACTERS = 256 * 1024;
/** A number, `true`, `null` or an empty list takes as long as so many characters. */
const CHARACTERS_PER_VALUE = 8;
/** Deeper than any response. */
const MOST_LEVELS = 64;

/** What fits together of the members, without those that are long, which the client was sent before or said itself. */
function leaveOutLong(members: JsonObject): JsonObject {
  let left = MOST_CHARACTERS;
  const kept = Object.entries(members).filter(([name, value]) => {
    const characters = name.length + countCharacters(value, left, MOST_LEVELS);
    if (characters > left) return false;
    left -= characters;
    return true;
  });
  return Object.fromEntries(kept);
}

/** Characters that a value takes, about; more than `most` for what is not looked at further. */
function countCharacters(value: unknown, most: number, levels: number): number {
  if (typeof value === 'string') return value.length;
  if (!isObject(value) && !Array.isArray(value)) return CHARACTERS_PER_VALUE;
  if (levels === 0 || (Array.isArray(value) && value.length > most)) return most + 1;
  let count = CHARACTERS_PER_VALUE;
  for (const [name, member] of Object.entries(value)) {
    if (count > most) break;
    count += name.length + countCharacters(member, most - count, levels - 1);
  }
  return count;
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
