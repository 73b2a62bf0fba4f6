import { omitUndefined } from '@mg/contract';
import {
  type FaultClass,
  isContentRefusal,
  isContextOverflow,
  isObject,
  type JsonObject,
  parseOpenAiError,
  readFaultClass,
  type UpstreamError,
} from '@mg/protocols';
import { readRetryAfterMs, type UpstreamReply } from '@mg/transport';
import { classifyGarbage, classifyStatus, type Fault, redactUpstreamError } from './classify-failure.js';
import type { PeekedStream } from './peek-stream.js';
import type { PreparedAttempt } from './prepared-attempt.js';
import { readWholeBody } from './read-body.js';

const MAX_ERROR_BYTES = 64 * 1024;
/** A stream that opens with an error event has the status 200: what it means is said by the error's type. */
const STATUS_OF: Readonly<Record<FaultClass, number>> = {
  request: 400,
  credential: 401,
  limited: 429,
  overloaded: 529,
};

/** @see https://platform.openai.com/docs/api-reference/responses-streaming/response/failed */
const CALLER_CODES = /^(?:invalid_|image_|empty_image|unsupported_image|failed_to_download_image)/;

/** Reads an error in a channel's wire format. */
type ErrorReader = Pick<PreparedAttempt, 'parseUpstreamError' | 'isForgotten'>;

/** What an answer with a failing status says. */
export async function readFault(reply: UpstreamReply, reader: ErrorReader): Promise<Fault> {
  const body = await readWholeBody(reply, MAX_ERROR_BYTES).catch(() => Buffer.alloc(0));
  const said = reader.parseUpstreamError(body.toString('utf8'));
  const retryAfterMs = readRetryAfterMs(reply.headers['retry-after'], Date.now()) ?? said.retryAfterMs;
  return markForgotten(classifyStatus(reply.status, said, retryAfterMs), said, reader);
}

function markForgotten(fault: Fault, said: UpstreamError, reader: ErrorReader): Fault {
  return reader.isForgotten?.(said) ? { ...fault, isForgotten: true } : fault;
}

/**
 * What is wrong with a stream by its first event; `undefined` when it is good.
 *
 * @throws UpstreamFailure when it breaks before the first event.
 */
export async function readOpening(stream: PeekedStream, reader: ErrorReader): Promise<Fault | undefined> {
  const opening = await stream.opening;
  switch (opening.kind) {
    case 'data':
      return undefined;
    case 'error':
      return classifyOpening(opening.event, reader);
    case 'failed':
      throw opening.failure;
    case 'nothing':
      return classifyGarbage('its stream holds no event');
  }
}

function classifyOpening(event: JsonObject, reader: ErrorReader): Fault {
  const said = reader.parseUpstreamError(JSON.stringify(shortenFault(event)));
  return markForgotten(classifyEvent(event, said, 'its stream opens with an error'), said, reader);
}

/** Of each text of an error event, in characters: an upstream may have written megabytes, which would be read in one step. */
const LONGEST_TEXT = 4_096;
/** Entries of a list, and members of an object, that are read. */
const MOST_ENTRIES = 64;
/** Values of an error event that are read. */
const MOST_VALUES = 256;

/** An error event with as much of it as any reader of errors looks at. */
export function shortenFault(event: JsonObject): JsonObject {
  let values = 0;
  const shorten = (value: unknown): unknown => {
    if (typeof value === 'string') return value.slice(0, LONGEST_TEXT);
    if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value;
    const entries = Object.entries(value).slice(0, values < MOST_VALUES ? MOST_ENTRIES : 0);
    values += entries.length;
    const kept = entries.map(([name, held]) => [name, shorten(held)] as const);
    return Array.isArray(value) ? kept.map(([, held]) => held) : Object.fromEntries(kept);
  };
  const { response, ...own } = event;
  // A response holds its output beside its error.
  const about = isObject(response) ? { ...own, response: omitUndefined({ error: response.error }) } : event;
  return shorten(about) as JsonObject;
}

/** What an error event says in the midst of a stream, in any protocol. */
export function classifyErrorEvent(event: JsonObject): Fault {
  const { error = event } = isObject(event.response) ? event.response : event;
  return classifyEvent(event, parseOpenAiError(JSON.stringify({ error })), 'its stream holds an error');
}

function classifyEvent(event: JsonObject, said: UpstreamError, silent: string): Fault {
  const about = readFaultClass(event) ?? (isOfTheCaller(said) ? 'request' : undefined);
  if (about !== undefined) return classifyStatus(STATUS_OF[about], said, said.retryAfterMs);
  return classifyGarbage(said.message === undefined ? silent : redactUpstreamError(said.message));
}

/** Errors of responses, of which OpenAI's have a code for each thing that can be wrong with a prompt or an image. */
function isOfTheCaller({ message = '', code = '' }: UpstreamError): boolean {
  return CALLER_CODES.test(code) || isContentRefusal(message) || isContextOverflow(message);
}
