import type { StreamDecoder } from '../canonical/codec.js';
import { EventStreamDecoder } from '../canonical/event-stream-decoder.js';
import type { Fault } from '../canonical/events.js';
import type { CanonicalReply, StopReason } from '../canonical/reply.js';
import { resolveStopReason } from '../canonical/resolve-stop-reason.js';
import { garbled, TRUNCATED } from '../canonical/stream-faults.js';
import { restoreToolName } from '../canonical/tool-name.js';
import { isObject, type JsonObject, parseObject } from '../json.js';
import { decodeCitation } from './citations.js';
import { decodeReply, readRefusal } from './decode-response.js';
import { readFaultObject } from './errors.js';
import { readStopReason } from './map-stop-reason.js';
import { OUTPUT_TOOL } from './output-tool.js';
import { readEventUsage } from './read-usage.js';

const HOME = 'anthropic-messages';

/** The block that the upstream has open. */
type OpenBlock =
  | { readonly kind: 'text' | 'thinking' }
  /** A call, or the answer in JSON that a forced call carries. */
  | { readonly kind: 'call' | 'output'; readonly input: string; sent: boolean }
  /** Gathered and given on whole. */
  | { readonly kind: 'opaque'; readonly raw: JsonObject; json: string };

export function createStreamDecoder(): StreamDecoder {
  return new MessagesStreamDecoder();
}

class MessagesStreamDecoder extends EventStreamDecoder {
  #open: OpenBlock | undefined;
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
    ['content_block_stop', () => this.#stopBlock()],
    ['message_delta', (event) => this.#readEnd(event)],
    ['message_stop', () => this.conclude()],
    ['error', (event) => this.writer.fault(readFaultObject(event) ?? garbled('it failed without a reason'))],
  ]);

  readonly #starts: ReadonlyMap<unknown, (block: JsonObject) => void> = new Map<
    unknown,
    (block: JsonObject) => void
  >([
    ['text', (block) => this.#startText(block)],
    ['thinking', (block) => this.#startThinking(block)],
    ['redacted_thinking', (block) => this.#addRedacted(block)],
    ['tool_use', (block) => this.#startCall(block)],
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

  protected override conclude(): void {
    if (this.#stop === undefined || !this.writer.started) {
      this.writer.fault(TRUNCATED);
      return;
    }
    this.#stopBlock();
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
    this.#stopBlock();
    if (!this.writer.started) this.writer.start('', '', 0);
    const block = isObject(event.content_block) ? event.content_block : {};
    const start = this.#starts.get(block.type);
    if (start) start(block);
    else this.#open = { kind: 'opaque', raw: { ...block }, json: '' };
  }

  #startText(block: JsonObject): void {
    this.#open = { kind: 'text' };
    this.writer.open(0, { type: 'text', text: readString(block.text) });
    if (Array.isArray(block.citations)) for (const citation of block.citations) this.#addCitation(citation);
  }

  #startThinking(block: JsonObject): void {
    this.#open = { kind: 'thinking' };
    this.writer.open(0, { type: 'reasoning', text: readString(block.thinking) });
    this.#addSignature(block.signature);
  }

  #addRedacted(block: JsonObject): void {
    this.#open = undefined;
    const redacted = { protocol: HOME, value: readString(block.data) } as const;
    this.writer.open(0, { type: 'reasoning', text: '', redacted });
    this.writer.close(0);
  }

  #startCall(block: JsonObject): void {
    const input = isObject(block.input) && Object.keys(block.input).length > 0 ? block.input : {};
    const name = readString(block.name);
    const kind = name === OUTPUT_TOOL ? 'output' : 'call';
    this.#open = { kind, input: JSON.stringify(input), sent: false };
    if (kind === 'output') {
      this.writer.open(0, { type: 'text', text: '' });
      return;
    }
    this.#calls = true;
    this.writer.open(0, {
      type: 'tool-call',
      id: readString(block.id),
      name: restoreToolName(name),
      arguments: '',
    });
  }

  #readDelta(event: JsonObject): void {
    const delta = isObject(event.delta) ? event.delta : {};
    if (this.#open?.kind === 'opaque') this.#growOpaque(this.#open, delta);
    else this.#deltas.get(delta.type)?.(delta);
  }

  #addText(text: unknown): void {
    if (this.#open?.kind !== 'text' || typeof text !== 'string' || text === '') return;
    this.writer.delta(0, { type: 'text', text });
  }

  #addThinking(text: unknown): void {
    if (this.#open?.kind !== 'thinking' || typeof text !== 'string' || text === '') return;
    this.writer.delta(0, { type: 'reasoning', text });
  }

  #addSignature(value: unknown): void {
    if (this.#open?.kind !== 'thinking' || typeof value !== 'string' || value === '') return;
    this.writer.delta(0, { type: 'signature', signature: { protocol: HOME, value } });
  }

  #addCitation(citation: unknown): void {
    if (this.#open?.kind !== 'text' || !isObject(citation)) return;
    this.writer.delta(0, { type: 'citation', citation: decodeCitation(citation) });
  }

  #addInput(json: unknown): void {
    const open = this.#open;
    if (typeof json !== 'string' || json === '') return;
    if (open?.kind === 'call') this.writer.delta(0, { type: 'arguments', json });
    else if (open?.kind === 'output') this.writer.delta(0, { type: 'text', text: json });
    else return;
    open.sent = true;
  }

  /** Deltas of a block that is not known: JSON input in fragments, or members that replace those of the start. */
  #growOpaque(open: OpenBlock & { kind: 'opaque' }, delta: JsonObject): void {
    if (delta.type === 'input_json_delta') open.json += readString(delta.partial_json);
    else if (typeof delta.content === 'string') {
      open.raw.content = readString(open.raw.content) + delta.content;
    }
  }

  #stopBlock(): void {
    const open = this.#open;
    this.#open = undefined;
    if (!open) return;
    if (open.kind === 'opaque') {
      const input = open.json === '' ? undefined : parseObject(open.json);
      this.writer.open(0, {
        type: 'opaque',
        protocol: HOME,
        raw: input ? { ...open.raw, input } : open.raw,
      });
    } else if (open.kind === 'call' && !open.sent) {
      this.writer.delta(0, { type: 'arguments', json: open.input });
    } else if (open.kind === 'output' && !open.sent) {
      this.writer.delta(0, { type: 'text', text: open.input });
    }
    this.writer.close(0);
  }

  #readEnd(event: JsonObject): void {
    this.#stopBlock();
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
