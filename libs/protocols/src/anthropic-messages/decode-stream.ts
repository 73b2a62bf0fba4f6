import { BlockQueue } from '../canonical/block-queue.js';
import type { Block } from '../canonical/blocks.js';
import type { StreamDecoder } from '../canonical/codec.js';
import { EventStreamDecoder } from '../canonical/event-stream-decoder.js';
import type { Fault } from '../canonical/events.js';
import { isParsed, writeInput } from '../canonical/json-text.js';
import type { CanonicalReply, StopReason } from '../canonical/reply.js';
import { resolveStopReason } from '../canonical/resolve-stop-reason.js';
import { garbled, TRUNCATED } from '../canonical/stream-faults.js';
import { restoreToolName } from '../canonical/tool-name.js';
import { isObject, type JsonObject, parseObject } from '../json.js';
import { decodeCitation } from './citations.js';
import { countMessageItems } from './count-items.js';
import { decodeReply, readRefusal } from './decode-response.js';
import { readFaultObject } from './errors.js';
import { listAnswerInputs } from './list-inputs.js';
import { readStopReason } from './map-stop-reason.js';
import { OUTPUT_TOOL } from '../canonical/output-tool.js';
import { readEventUsage } from './read-usage.js';

const HOME = 'anthropic-messages';

/** A block that the upstream has open. */
type OpenBlock = { readonly key: string } & (
  | { readonly kind: 'text' | 'thinking' }
  /** A call, or the answer in JSON that a forced call carries. */
  | { readonly kind: 'call' | 'output'; readonly input: string; sent: boolean }
  /** Gathered and given on whole. */
  | { readonly kind: 'opaque'; readonly raw: JsonObject; json: string }
);

export function createStreamDecoder(): StreamDecoder {
  return new MessagesStreamDecoder();
}

class MessagesStreamDecoder extends EventStreamDecoder {
  /** Blocks that are open, by the upstream's index: some servers send calls side by side. */
  readonly #open = new Map<string, OpenBlock>();
  /** The block that the event at hand speaks of; where its index is unknown, the one that began last. */
  #current: OpenBlock | undefined;
  readonly #queue = new BlockQueue(this.writer, 0);
  #calls = false;
  #stop: StopReason | undefined;
  #stopSequence: string | undefined;
  #refusal: string | undefined;

  readonly #events: ReadonlyMap<unknown, (event: JsonObject) => void> = new Map<
    unknown,
    (event: JsonObject) => void
  >([
    ['message_start', (event) => this.#startMessage(event)],
    ['content_block_start', (event) => this.#startBlock(event)],
    ['content_block_delta', (event) => this.#readDelta(event)],
    ['content_block_stop', (event) => this.#stopBlock(this.#find(event))],
    ['message_delta', (event) => this.#readEnd(event)],
    ['message_stop', () => this.conclude()],
    ['error', (event) => this.writer.fault(readFaultObject(event) ?? garbled('it failed without a reason'))],
  ]);

  readonly #starts: ReadonlyMap<unknown, (block: JsonObject, key: string) => void> = new Map<
    unknown,
    (block: JsonObject, key: string) => void
  >([
    ['text', (block, key) => this.#startText(block, key)],
    ['thinking', (block, key) => this.#startThinking(block, key)],
    ['redacted_thinking', (block, key) => this.#addRedacted(block, key)],
    ['tool_use', (block, key) => this.#startCall(block, key)],
  ]);

  readonly #deltas: ReadonlyMap<unknown, (delta: JsonObject) => void> = new Map<
    unknown,
    (delta: JsonObject) => void
  >([
    ['text_delta', (delta) => this.#addText(delta.text)],
    ['thinking_delta', (delta) => this.#addThinking(delta.thinking)],
    ['signature_delta', (delta) => this.#addSignature(delta.signature)],
    ['input_json_delta', (delta) => this.#addInput(delta.partial_json)],
    ['citations_delta', (delta) => this.#addCitation(delta.citation)],
  ]);

  protected override readEvent(event: JsonObject, name: string | undefined): void {
    this.#events.get(event.type ?? name)?.(event);
  }

  protected override readMark(data: string): boolean {
    return data.startsWith('[DONE]');
  }

  protected override decodeReply(body: JsonObject): CanonicalReply {
    return decodeReply(body);
  }

  protected override readFaultObject(body: JsonObject): Fault | undefined {
    return readFaultObject(body);
  }

  protected override countItems({ content_block: block }: JsonObject): number {
    return countMessageItems({ content: [block] });
  }

  protected override listInputs({ content_block: block }: JsonObject): readonly object[] {
    return listAnswerInputs({ content: [block] });
  }

  protected override conclude(): void {
    if (this.#stop === undefined || !this.writer.started) {
      this.writer.fault(TRUNCATED);
      return;
    }
    this.#stopAll();
    const stop = resolveStopReason(this.#stop, this.#calls);
    this.writer.endChoice(0, { stop, stopSequence: this.#stopSequence, refusal: this.#refusal });
    this.writer.end();
  }

  #startMessage(event: JsonObject): void {
    if (this.writer.started) {
      this.writer.fault(garbled('a second answer begins within the first'));
      return;
    }
    const message = isObject(event.message) ? event.message : {};
    this.writer.start(readString(message.id), readString(message.model), 0);
    this.writer.usage(readEventUsage(event));
  }

  #startBlock(event: JsonObject): void {
    const key = nameIndex(event);
    for (const open of this.#open.values()) {
      if (open.key === key || open.kind === 'text' || open.kind === 'thinking') this.#stopBlock(open);
    }
    if (!this.writer.started) this.writer.start('', '', 0);
    const block = isObject(event.content_block) ? event.content_block : {};
    const start = this.#starts.get(block.type);
    if (start) start(block, key);
    else this.#note({ key, kind: 'opaque', raw: { ...block }, json: '' });
  }

  #note(open: OpenBlock): void {
    this.#open.set(open.key, open);
    this.#current = open;
  }

  #begin(open: OpenBlock, block: Block): void {
    this.#note(open);
    this.#queue.open(open.key, block);
  }

  #startText(block: JsonObject, key: string): void {
    this.#begin({ key, kind: 'text' }, { type: 'text', text: readString(block.text) });
    if (Array.isArray(block.citations)) for (const citation of block.citations) this.#addCitation(citation);
  }

  #startThinking(block: JsonObject, key: string): void {
    this.#begin({ key, kind: 'thinking' }, { type: 'reasoning', text: readString(block.thinking) });
    this.#addSignature(block.signature);
  }

  #addRedacted(block: JsonObject, key: string): void {
    const redacted = { protocol: HOME, value: readString(block.data) } as const;
    this.#queue.open(key, { type: 'reasoning', text: '', redacted });
    this.#queue.close(key);
  }

  #startCall(block: JsonObject, key: string): void {
    const input = isObject(block.input) && Object.keys(block.input).length > 0 ? block.input : {};
    const name = readString(block.name);
    const kind = name === OUTPUT_TOOL ? 'output' : 'call';
    const open: OpenBlock = { key, kind, input: writeInput(input), sent: false };
    if (kind === 'output') {
      this.#begin(open, { type: 'text', text: '' });
      return;
    }
    this.#calls = true;
    const id = readString(block.id);
    this.#begin(open, { type: 'tool-call', id, name: restoreToolName(name), arguments: '' });
  }

  #find(event: JsonObject): OpenBlock | undefined {
    return this.#open.get(nameIndex(event)) ?? this.#current;
  }

  #readDelta(event: JsonObject): void {
    const delta = isObject(event.delta) ? event.delta : {};
    this.#current = this.#find(event);
    if (this.#current?.kind === 'opaque') this.#growOpaque(this.#current, delta);
    else this.#deltas.get(delta.type)?.(delta);
  }

  #addText(text: unknown): void {
    const open = this.#current;
    if (open?.kind !== 'text' || typeof text !== 'string' || text === '') return;
    this.#queue.delta(open.key, { type: 'text', text });
  }

  #addThinking(text: unknown): void {
    const open = this.#current;
    if (open?.kind !== 'thinking' || typeof text !== 'string' || text === '') return;
    this.#queue.delta(open.key, { type: 'reasoning', text });
  }

  #addSignature(value: unknown): void {
    const open = this.#current;
    if (open?.kind !== 'thinking' || typeof value !== 'string' || value === '') return;
    this.#queue.delta(open.key, { type: 'signature', signature: { protocol: HOME, value } });
  }

  #addCitation(citation: unknown): void {
    const open = this.#current;
    if (open?.kind !== 'text' || !isObject(citation)) return;
    this.#queue.delta(open.key, { type: 'citation', citation: decodeCitation(citation) });
  }

  #addInput(json: unknown): void {
    const open = this.#current;
    if (typeof json !== 'string' || json === '') return;
    if (open?.kind !== 'call' && open?.kind !== 'output') return;
    this.#addToCall(open, json);
    open.sent = true;
  }

  #addToCall({ key, kind }: OpenBlock, json: string): void {
    this.#queue.delta(key, kind === 'call' ? { type: 'arguments', json } : { type: 'text', text: json });
  }

  /** Deltas of a block that is not known: JSON input in fragments, or members that replace those of the start. */
  #growOpaque(open: OpenBlock & { kind: 'opaque' }, delta: JsonObject): void {
    if (delta.type === 'input_json_delta') open.json += readString(delta.partial_json);
    else if (typeof delta.content === 'string') {
      open.raw.content = readString(open.raw.content) + delta.content;
    }
  }

  #stopBlock(open: OpenBlock | undefined): void {
    if (!open) return;
    this.#open.delete(open.key);
    if (this.#current === open) this.#current = undefined;
    if (open.kind === 'opaque') {
      const input = isParsed(open.json) ? parseObject(open.json) : undefined;
      const raw = input ? { ...open.raw, input } : open.raw;
      this.#queue.open(open.key, { type: 'opaque', protocol: HOME, raw });
    } else if ((open.kind === 'call' || open.kind === 'output') && !open.sent) {
      this.#addToCall(open, open.input);
    }
    this.#queue.close(open.key);
  }

  #stopAll(): void {
    for (const open of this.#open.values()) this.#stopBlock(open);
  }

  #readEnd(event: JsonObject): void {
    this.#stopAll();
    this.writer.usage(readEventUsage(event));
    const delta = isObject(event.delta) ? event.delta : {};
    if (typeof delta.stop_reason === 'string') this.#stop = readStopReason(delta.stop_reason);
    if (typeof delta.stop_sequence === 'string') this.#stopSequence = delta.stop_sequence;
    this.#refusal = readRefusal(delta) ?? this.#refusal;
  }
}

function readString(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** What is no number is one index like another. */
function nameIndex({ index }: JsonObject): string {
  return typeof index === 'number' ? String(index) : '';
}
