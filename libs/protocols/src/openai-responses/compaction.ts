import type { Usage } from '@mg/contract';
import { EventWriter } from '../canonical/event-writer.js';
import { readObjects, readText } from '../canonical/read-fields.js';
import { replayReply } from '../canonical/replay-reply.js';
import { isObject, type JsonObject } from '../json.js';
import type { StreamOpening } from '../chat/chat-protocol.js';
import { ResponsesStreamEncoder } from './encode-stream.js';
import { readEventNumber } from './event-number.js';
import { listInputItems } from './list-items.js';
import { writeResponse } from './write-response.js';

/** What `encrypted_content` of a compaction item begins with that this gateway made. */
const SEALED_PREFIX = 'mgc_';
/** What stands before a summary in the message that a model reads in the place of a compaction item. */
const INTRODUCTION = 'The conversation before this point was compacted. This is the summary of it:\n\n';
/** What a model is asked at the end of a conversation that is to be compacted. */
const QUESTION =
  'Summarise the conversation above for a model that will go on with it and sees nothing of it but your summary and the ' +
  "user's messages. State what the user asked for and every rule that still holds; what was done, with the exact names of " +
  'files, commands, identifiers, values and results; what was decided and why; which errors were met; what remains to be ' +
  'done and what comes next. Leave out nothing that is needed to go on. Answer with the summary alone.';
/** Members of a request that reach the model that summarises; it calls no tools and answers in plain text. */
const PASSED = [
  'model',
  'instructions',
  'reasoning',
  'service_tier',
  'prompt_cache_key',
  'safety_identifier',
];
/** Items that add tools, and what only its provider can read. */
const UNTOLD = new Set(['additional_tools', 'tool_search_call', 'tool_search_output', 'reasoning']);
const CALLS = new Set(['function_call', 'custom_tool_call']);
const RESULTS = new Set(['function_call_output', 'custom_tool_call_output']);

/** What is sealed in a compaction item that this gateway made; `undefined` for any other item. */
export function readCompaction(item: unknown): string | undefined {
  if (!isObject(item) || item.type !== 'compaction') return undefined;
  const content = readText(item.encrypted_content);
  return content?.startsWith(SEALED_PREFIX) ? content.slice(SEALED_PREFIX.length) : undefined;
}

/** Whether an item asks for all that stands before it to be compacted. */
export function isCompactionTrigger(item: unknown): boolean {
  return isObject(item) && item.type === 'compaction_trigger';
}

/** What a model reads in the place of a compaction item. */
export function writeSummary(summary: string): JsonObject {
  const content = [{ type: 'input_text', text: INTRODUCTION + summary }];
  return { type: 'message', role: 'user', content };
}

function isSummaryMessage({ content }: JsonObject): boolean {
  const [first] = readObjects(content);
  return readText(first?.text)?.startsWith(INTRODUCTION) === true;
}

/**
 * A request of the Responses API that asks for a summary of a conversation. Calls and their results are told in words:
 * channels refuse calls of tools that a request does not declare, and the model is to call none.
 *
 * @param items the whole conversation.
 */
export function writeSummaryRequest(request: JsonObject, items: readonly unknown[]): JsonObject {
  const passed = Object.fromEntries(
    PASSED.flatMap((name) => (request[name] === undefined ? [] : [[name, request[name]] as const])),
  );
  const told = items.filter(isObject).flatMap(tellItem);
  return { ...passed, store: false, input: [...told, writeMessage('user', QUESTION)] };
}

function tellItem(item: JsonObject): JsonObject[] {
  const { type = 'message', role, content } = item;
  // Ids of messages are known to one account alone.
  if (type === 'message') return [{ type, role, content }];
  if (typeof type !== 'string' || UNTOLD.has(type)) return [];
  if (CALLS.has(type)) return [tellCall(item)];
  return RESULTS.has(type) ? [tellResult(item)] : [item];
}

function tellCall(item: JsonObject): JsonObject {
  const input = readText(item.arguments) ?? readText(item.input) ?? '';
  return writeMessage('assistant', `[called ${readText(item.name) ?? 'a tool'}: ${input}]`);
}

function tellResult({ output }: JsonObject): JsonObject {
  if (!Array.isArray(output)) return writeMessage('user', `[result: ${readText(output) ?? ''}]`);
  const content = [{ type: 'input_text', text: '[result:]' }, ...(output as unknown[])];
  return { type: 'message', role: 'user', content };
}

function writeMessage(role: 'user' | 'assistant', text: string): JsonObject {
  const type = role === 'user' ? 'input_text' : 'output_text';
  return { type: 'message', role, content: [{ type, text }] };
}

/** The text of a response that was asked for a summary. */
export function readSummary(response: JsonObject): string {
  return readObjects(response.output)
    .filter(({ type }) => type === 'message')
    .flatMap(({ content }) => readObjects(content))
    .map((part) => (part.type === 'output_text' ? (readText(part.text) ?? '') : ''))
    .join('')
    .trim();
}

/** What becomes of a conversation that was compacted. */
export interface Compaction {
  /** Unique among compactions; letters and digits. */
  readonly id: string;
  /** The whole conversation. */
  readonly items: readonly unknown[];
  /** Its summary, sealed. */
  readonly sealed: string;
  /** The response that holds the summary. */
  readonly response: JsonObject;
}

/**
 * The answer to a compaction: what the user said, and one item in the place of everything else.
 *
 * @see https://platform.openai.com/docs/api-reference/responses/compact
 */
export function writeCompaction({ id, items, sealed, response }: Compaction): JsonObject {
  const said = items
    .filter(isObject)
    .filter(
      (item) => (item.type ?? 'message') === 'message' && item.role === 'user' && !isSummaryMessage(item),
    );
  return {
    id: `resp_${id}`,
    object: 'response.compaction',
    created_at: response.created_at,
    output: [...listInputItems(id, said, 'msg'), writeItem(id, sealed)],
    usage: response.usage,
  };
}

function writeItem(id: string, sealed: string): JsonObject {
  return { id: `cmp_${id}`, type: 'compaction', encrypted_content: SEALED_PREFIX + sealed };
}

/** A response whose one item is the compaction that its request has asked for at the end of its input. */
export interface TriggeredResponse {
  /** Unique among compactions; letters and digits. */
  readonly id: string;
  /** The name the client asked for. */
  readonly model: string;
  /** Seconds since 1970. */
  readonly created: number;
}

/** What such a response holds once it is there. */
export interface TriggeredCompaction {
  /** The summary, sealed. */
  readonly sealed: string;
  readonly usage: Usage | undefined;
}

/** The answer to such a request: all events of its stream, or the response. */
export function writeTriggeredCompaction(
  { id, model, created }: TriggeredResponse,
  { sealed, usage }: TriggeredCompaction,
  stream: boolean,
): string {
  const raw = writeItem(id, sealed);
  const choice = { stop: 'stop', stopSequence: undefined, refusal: undefined, logprobs: undefined } as const;
  const events = new EventWriter();
  const blocks = [{ type: 'opaque', protocol: 'openai-responses', raw } as const];
  replayReply({ id, model, created, usage, ext: {}, choices: [{ ...choice, blocks }] }, events);
  const encoder = new ResponsesStreamEncoder({ model, includeUsage: true }, { writesEvents: stream });
  const frames = events.take().map((event) => encoder.encode(event));
  return stream ? frames.join('') : JSON.stringify(encoder.response);
}

/** What a stream of {@link writeTriggeredCompaction} begins with, and the event by which it ends if nothing comes of it. */
export function openTriggeredCompaction({ id, model, created }: TriggeredResponse): StreamOpening {
  const encoder = new ResponsesStreamEncoder({ model, includeUsage: true });
  const events = encoder.encode({ type: 'reply-start', id, model, created });
  const number = (readEventNumber(Buffer.from(events)) ?? 0) + 1;
  const response = writeResponse({
    id: `resp_${id}`,
    model,
    created,
    status: 'failed',
    output: [],
    usage: null,
    incomplete_details: null,
    error: null,
  });
  return { events, failed: { type: 'response.failed', sequence_number: number, response } };
}
