import { randomUUID } from 'node:crypto';
import { BlockQueue } from '../canonical/block-queue.js';
import { EventStreamDecoder } from '../canonical/event-stream-decoder.js';
import type { EventWriter } from '../canonical/event-writer.js';
import type { Fault } from '../canonical/events.js';
import { readNumber, readObject, readObjects, readText } from '../canonical/read-fields.js';
import type { CanonicalReply } from '../canonical/reply.js';
import { TRUNCATED } from '../canonical/stream-faults.js';
import type { JsonObject } from '../json.js';
import { countOutputItems } from './count-items.js';
import { decodeAnnotation } from './decode-parts.js';
import { decodeCall, decodeItem, decodeResponsesReply, decodeTextPart } from './decode-response.js';
import { decodeReasoningItem } from './decode-input.js';
import { readResponsesFaultObject } from './errors.js';
import { readResponsesStop } from './map-stop-reason.js';
import { readResponseUsage } from './read-usage.js';

/** What has come of one block: whether anything has, and whether it was cited. */
interface ItemState {
  hasContent: boolean;
  hasCitations: boolean;
  parts: number;
}

/** A response as its events are read. */
class ResponseState {
  readonly blocks: BlockQueue;
  readonly seen = new Map<string, ItemState>();
  readonly doneItems = new Set<number>();
  hasCall = false;
  refusal = '';

  constructor(readonly writer: EventWriter) {
    this.blocks = new BlockQueue(writer, 0);
  }

  /** Whether the answer came item by item: its last event then repeats what was read. */
  get hasStreamed(): boolean {
    return this.doneItems.size > 0 || this.seen.size > 0;
  }

  start(response: JsonObject): void {
    const id = readText(response.id) ?? randomUUID();
    this.writer.start(id, readText(response.model) ?? '', Math.floor(readNumber(response.created_at) ?? 0));
  }

  /** Opens a block unless it is open. */
  open(key: string, block: Parameters<BlockQueue['open']>[1]): ItemState {
    const known = this.seen.get(key);
    if (known) return known;
    const seen: ItemState = { hasContent: false, hasCitations: false, parts: 0 };
    this.seen.set(key, seen);
    this.blocks.open(key, block);
    return seen;
  }

  /** Passes on a block that came whole. */
  add(key: string, block: Parameters<BlockQueue['open']>[1]): void {
    if (block.type === 'tool-call') this.hasCall = true;
    this.open(key, block);
    this.blocks.close(key);
  }
}

type Reader = (state: ResponseState, event: JsonObject) => void;

const READERS: Readonly<Record<string, Reader>> = {
  'response.created': (state, event) => state.start(readObject(event.response) ?? {}),
  'response.output_item.added': readItemAdded,
  'response.output_text.delta': readTextDelta,
  'response.output_text.annotation.added': readAnnotation,
  'response.content_part.done': readPartDone,
  'response.refusal.delta': (state, event) => {
    state.refusal += readText(event.delta) ?? '';
  },
  'response.reasoning_summary_part.added': readSummaryPart,
  'response.reasoning_summary_text.delta': readReasoningDelta,
  'response.reasoning_text.delta': readReasoningDelta,
  'response.function_call_arguments.delta': readArgumentsDelta,
  'response.output_item.done': (state, event) =>
    endItem(state, readIndex(event.output_index), readObject(event.item) ?? {}),
  'response.completed': endResponse,
  'response.incomplete': endResponse,
  'response.failed': failResponse,
  'response.cancelled': failResponse,
  error: failResponse,
};

function readIndex(value: unknown): number {
  return readNumber(value) ?? 0;
}

function itemKey(event: JsonObject): string {
  return `${readIndex(event.output_index)}`;
}

function partKey(event: JsonObject): string {
  return `${itemKey(event)}/${readIndex(event.content_index)}`;
}

function readItemAdded(state: ResponseState, event: JsonObject): void {
  const item = readObject(event.item) ?? {};
  if (item.type !== 'function_call') return;
  state.hasCall = true;
  const seen = state.open(itemKey(event), decodeCall(item, ''));
  const args = readText(item.arguments);
  if (args !== undefined && args !== '') addArguments(state, itemKey(event), seen, args);
}

function readTextDelta(state: ResponseState, event: JsonObject): void {
  const text = readText(event.delta);
  const key = partKey(event);
  if (text !== undefined && text !== '') {
    state.open(key, { type: 'text', text: '' }).hasContent = true;
    state.blocks.delta(key, { type: 'text', text });
  }
  const content = readObjects(event.logprobs);
  if (content.length > 0) state.writer.logprobs(0, { content });
}

function readAnnotation(state: ResponseState, event: JsonObject): void {
  const citation = decodeAnnotation(readObject(event.annotation) ?? {});
  const seen = state.seen.get(partKey(event));
  if (!citation || !seen) return;
  seen.hasCitations = true;
  state.blocks.delta(partKey(event), { type: 'citation', citation });
}

function readPartDone(state: ResponseState, event: JsonObject): void {
  endPart(state, partKey(event), readObject(event.part) ?? {});
}

/** Ends a part of a message; what its deltas did not bring is taken from the whole. */
function endPart(state: ResponseState, key: string, part: JsonObject): void {
  const whole = decodeTextPart(part);
  const seen = state.seen.get(key);
  if (!seen) {
    if (whole) state.add(key, whole);
    else if (part.type === 'refusal' && state.refusal === '') state.refusal = readText(part.refusal) ?? '';
    return;
  }
  if (!seen.hasCitations) {
    for (const citation of whole?.citations ?? []) state.blocks.delta(key, { type: 'citation', citation });
    seen.hasCitations = true;
  }
  state.blocks.close(key);
}

/** Parts of a summary are paragraphs of one thought. */
function readSummaryPart(state: ResponseState, event: JsonObject): void {
  const seen = state.seen.get(itemKey(event));
  if (seen) seen.parts++;
}

function readReasoningDelta(state: ResponseState, event: JsonObject): void {
  const text = readText(event.delta);
  if (text === undefined || text === '') return;
  const key = itemKey(event);
  const seen = state.open(key, { type: 'reasoning', text: '' });
  const gap = seen.hasContent && seen.parts > 0 ? '\n\n' : '';
  seen.parts = 0;
  seen.hasContent = true;
  state.blocks.delta(key, { type: 'reasoning', text: gap + text });
}

function readArgumentsDelta(state: ResponseState, event: JsonObject): void {
  const seen = state.seen.get(itemKey(event));
  const json = readText(event.delta);
  if (seen && json !== undefined && json !== '') addArguments(state, itemKey(event), seen, json);
}

function addArguments(state: ResponseState, key: string, seen: ItemState, json: string): void {
  seen.hasContent = true;
  state.blocks.delta(key, { type: 'arguments', json });
}

/** Ends an item; one that never began in pieces is passed on whole. */
function endItem(state: ResponseState, index: number, item: JsonObject): void {
  if (state.doneItems.has(index)) return;
  state.doneItems.add(index);
  const key = `${index}`;
  if (item.type === 'message') {
    readObjects(item.content).forEach((part, at) => endPart(state, `${key}/${at}`, part));
    return;
  }
  const seen = state.seen.get(key);
  if (!seen) {
    for (const block of decodeItem(item)) state.add(key, block);
    return;
  }
  if (item.type === 'reasoning') signThought(state, key, item);
  else if (!seen.hasContent) addArguments(state, key, seen, readText(item.arguments) || '{}');
  state.blocks.close(key);
}

function signThought(state: ResponseState, key: string, item: JsonObject): void {
  const { block } = decodeReasoningItem(item);
  if (block?.signature) state.blocks.delta(key, { type: 'signature', signature: block.signature });
}

/** Ends the response. Servers that sent no items along the way have them in the last event. */
function endResponse(state: ResponseState, event: JsonObject): void {
  const response = readObject(event.response) ?? {};
  state.start(response);
  if (!state.hasStreamed) readObjects(response.output).forEach((item, index) => endItem(state, index, item));
  state.blocks.closeAll();
  const refusal = state.refusal === '' ? undefined : state.refusal;
  state.writer.usage(readResponseUsage(response));
  state.writer.endChoice(0, {
    stop: readResponsesStop(response, state.hasCall),
    stopSequence: undefined,
    refusal,
  });
  state.writer.end();
}

function failResponse(state: ResponseState, event: JsonObject): void {
  state.writer.fault(
    readResponsesFaultObject(event) ?? {
      message: 'The upstream failed without saying why.',
      type: 'api_error',
      code: 'upstream_error',
    },
  );
}

/** Turns the typed events of a streamed response into canonical ones. Unknown events are passed over. */
export class ResponsesStreamDecoder extends EventStreamDecoder {
  readonly #state = new ResponseState(this.writer);

  protected override readMark(data: string): boolean {
    return data === '[DONE]';
  }

  protected override readEvent(event: JsonObject, name: string | undefined): void {
    const type = readText(event.type) ?? name ?? (event.error === undefined ? '' : 'error');
    const read = Object.hasOwn(READERS, type) ? READERS[type] : undefined;
    if (!read) return;
    if (!this.writer.started && read !== failResponse) this.#state.start(readObject(event.response) ?? {});
    read(this.#state, event);
  }

  protected override countItems({ response, item, part }: JsonObject): number {
    const whole = this.#state.hasStreamed ? undefined : readObject(response);
    return countOutputItems({ output: [item ?? { content: [part] }] }) + countOutputItems(whole ?? {});
  }

  protected override conclude(): void {
    this.writer.fault(TRUNCATED);
  }

  protected override decodeReply(body: JsonObject): CanonicalReply {
    return decodeResponsesReply(body);
  }

  protected override readFaultObject(body: JsonObject): Fault | undefined {
    return readResponsesFaultObject(body);
  }
}
