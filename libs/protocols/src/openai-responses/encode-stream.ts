import { randomUUID } from 'node:crypto';
import { NO_USAGE, type Usage } from '@mg/contract';
import type { LateWriter, ReplyContext, StreamEncoder } from '../canonical/codec.js';
import type { Block } from '../canonical/blocks.js';
import type { BlockDelta, CanonicalEvent, Fault } from '../canonical/events.js';
import type { StopReason } from '../canonical/reply.js';
import { STEP_CHARACTERS } from '../canonical/json-text.js';
import { countCited, isLongBlock, LateFrames } from '../canonical/late-frames.js';
import { readList } from '../canonical/read-fields.js';
import { encodeFault } from '../openai-chat/errors.js';
import { isObject, type JsonObject } from '../json.js';
import { CHARACTERS_PER_VALUE, weigh } from '../strict-json/stringify-in-slices.js';
import { encodeErrorEvent } from './errors.js';
import { writeResponsesStop } from './map-stop-reason.js';
import { OutputWriter } from './output-writer.js';
import { writeResponsesUsage } from './read-usage.js';
import { writeResponse } from './write-response.js';

const PREFIX = 'resp_';
/** The one choice that this protocol has. */
const CHOICE = 0;
const FRAME_END = '\n\n';
/** About as many as the likelihood of a token has, with the likeliest beside it. */
const LOGPROB_CHARACTERS = 2_000;
const ENDS: ReadonlySet<CanonicalEvent['type']> = new Set(['block-end', 'choice-end', 'reply-end']);

/** Writes canonical events as the typed events of a streamed response. */
export class ResponsesStreamEncoder implements StreamEncoder {
  /**
   * Blocks, messages, which may end where a block or a thought begins, and the whole answer are given once more when they end; files and
   * items of the protocol's own twice when they begin.
   */
  readonly late: LateWriter = {
    isLong: (event) => this.#isLong(event),
    encode: (event, pause) => this.#encodeInSlices(event, pause),
  };
  readonly #context: ReplyContext;
  #frames = '';
  readonly #lateFrames = new LateFrames();
  /** Of the answer so far. */
  #characters = 0;
  #sequence = 0;
  #id = PREFIX;
  #created = 0;
  #writer: OutputWriter | undefined;
  #usage: Usage | undefined;
  #stop: StopReason = 'stop';
  #response: JsonObject | undefined;

  readonly #writesEvents: boolean;

  /** @param writesEvents left out where only the response is wanted that the stream would end in. */
  constructor(context: ReplyContext, { writesEvents = true } = {}) {
    this.#context = context;
    this.#writesEvents = writesEvents;
  }

  /** The response as of the last event; `undefined` before. */
  get response(): JsonObject | undefined {
    return this.#response;
  }

  encode(event: CanonicalEvent): string {
    if (!('choice' in event) || event.choice === CHOICE) this.#read(event);
    const frames = this.#frames;
    this.#frames = '';
    return frames;
  }

  async #encodeInSlices(event: CanonicalEvent, pause: () => Promise<void>): Promise<readonly Buffer[]> {
    if ('choice' in event && event.choice !== CHOICE) return [];
    if (event.type === 'block-end') await this.#writer?.readCall(pause);
    return this.#lateFrames.writeInSlices(() => this.encode(event), pause);
  }

  #isLong(event: CanonicalEvent): boolean {
    if (this.#characters > STEP_CHARACTERS && this.#isEnd(event)) return true;
    return event.type === 'block-start' && isLongBlock(event.block);
  }

  #isEnd(event: CanonicalEvent): boolean {
    if (ENDS.has(event.type)) return true;
    const begins =
      event.type === 'block-start' || (event.type === 'block-delta' && event.delta.type === 'reasoning');
    return begins && this.#writer?.hasMessage === true;
  }

  #read(event: CanonicalEvent): void {
    switch (event.type) {
      case 'reply-start':
        this.#start(event);
        return;
      case 'block-start':
        this.#characters += countBlock(event.block);
        this.#writer?.startBlock(event.block);
        return;
      case 'block-delta':
        this.#characters += countDelta(event.delta);
        this.#writer?.addDelta(event.delta);
        return;
      case 'block-end':
        this.#writer?.endBlock();
        return;
      case 'logprobs':
        this.#characters += readList(event.logprobs.content).length * LOGPROB_CHARACTERS;
        this.#writer?.addLogprobs(event.logprobs.content);
        return;
      case 'usage':
        this.#usage = event.usage;
        return;
      case 'choice-end':
        this.#stop = event.stop;
        this.#writer?.end(event.refusal, writeResponsesStop(event.stop).status === 'completed');
        return;
      case 'reply-end':
        this.#end();
        return;
      case 'fault':
        this.#fail(event.fault);
        return;
      default:
        return;
    }
  }

  #start({ id, created }: Extract<CanonicalEvent, { type: 'reply-start' }>): void {
    const bare = id.startsWith(PREFIX) ? id.slice(PREFIX.length) : id;
    const base = bare.replaceAll(/[^a-zA-Z0-9_-]/g, '') || randomUUID().replaceAll('-', '');
    this.#id = PREFIX + base;
    this.#created = created === 0 ? Math.floor(Date.now() / 1000) : created;
    const emit = (type: string, fields: JsonObject): void => this.#emit(type, fields);
    this.#writer = new OutputWriter(emit, base, this.#context);
    this.#emit('response.created', { response: this.#write('in_progress') });
    this.#emit('response.in_progress', { response: this.#write('in_progress') });
  }

  #end(): void {
    const { status, incomplete_details } = writeResponsesStop(this.#stop);
    this.#response = this.#write(status, { incomplete_details });
    this.#emit(`response.${status}`, { response: this.#response });
  }

  /** An error event for those who read streams, a failed response for those who read responses. */
  #fail(fault: Fault): void {
    this.#frames += encodeErrorEvent(fault, this.#sequence++);
    if (!this.#writer) return;
    const { error } = encodeFault(fault);
    const { message, code } = isObject(error) ? error : {};
    this.#emit('response.failed', { response: this.#write('failed', { error: { code, message } }) });
  }

  #write(
    status: string,
    ending: { incomplete_details?: JsonObject | null; error?: JsonObject } = {},
  ): JsonObject {
    const isOver = status !== 'in_progress';
    const usage = isOver && status !== 'failed' ? writeResponsesUsage(this.#usage ?? NO_USAGE) : null;
    return writeResponse({
      id: this.#id,
      model: this.#context.model,
      created: this.#created,
      status,
      output: isOver ? (this.#writer?.output ?? []) : [],
      usage,
      incomplete_details: ending.incomplete_details ?? null,
      error: ending.error ?? null,
      repeated: this.#context.repeated,
    });
  }

  #emit(type: string, fields: JsonObject): void {
    if (!this.#writesEvents) return;
    const event = { type, sequence_number: this.#sequence++, ...fields };
    this.#frames += this.#lateFrames.write(`event: ${type}\ndata: `, event, FRAME_END);
  }
}

function countBlock(block: Block): number {
  switch (block.type) {
    case 'text':
    case 'reasoning':
      return block.text.length;
    case 'tool-call':
      return block.arguments.length;
    case 'media':
      return block.source.type === 'bytes' ? block.source.base64.length : 0;
    case 'opaque':
      return isLongBlock(block) ? STEP_CHARACTERS + 1 : weigh(block.raw) * CHARACTERS_PER_VALUE;
    default:
      return 0;
  }
}

function countDelta(delta: BlockDelta): number {
  if (delta.type === 'text' || delta.type === 'reasoning') return delta.text.length;
  if (delta.type === 'citation') return countCited(delta.citation);
  return delta.type === 'arguments' ? delta.json.length : delta.signature.value.length;
}
