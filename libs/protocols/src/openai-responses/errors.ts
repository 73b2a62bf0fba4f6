import type { GatewayError } from '@mg/contract';
import type { Fault } from '../canonical/events.js';
import { encodeFault, readFaultObject, renderOpenAiError } from '../openai-chat/errors.js';
import { isObject, type JsonObject } from '../json.js';

/** An error in the middle of a stream, as an event of the client's protocol. */
export function renderResponsesErrorEvent(error: GatewayError, requestId: string): string {
  const body = renderOpenAiError(error, requestId);
  const facts = isObject(body.error) ? body.error : {};
  return writeErrorEvent({ ...facts, ...body }, 0);
}

/** SDKs read the facts under `error`, types say that they stand beside `type`: they stand in both places. */
export function encodeErrorEvent(fault: Fault, sequence: number): string {
  const body = encodeFault(fault);
  return writeErrorEvent({ ...(isObject(body.error) ? body.error : {}), ...body }, sequence);
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
