import { randomUUID } from 'node:crypto';
import { NO_USAGE, type Usage } from '@mg/contract';
import type { ReplyContext, StreamEncoder } from '../canonical/codec.js';
import type { CanonicalEvent, Fault } from '../canonical/events.js';
import type { StopReason } from '../canonical/reply.js';
import { encodeFault } from '../openai-chat/errors.js';
import { isObject, type JsonObject } from '../json.js';
import { encodeErrorEvent } from './errors.js';
import { writeResponsesStop } from './map-stop-reason.js';
import { OutputWriter } from './output-writer.js';
import { writeResponsesUsage } from './read-usage.js';
import { writeResponse } from './write-response.js';

const PREFIX = 'resp_';
/** The one choice that this protocol has. */
const CHOICE = 0;

/** Writes canonical events as the typed events of a streamed response. */
export class ResponsesStreamEncoder implements StreamEncoder {
  readonly #context: ReplyContext;
  #frames = '';
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

  #read(event: CanonicalEvent): void {
    switch (event.type) {
      case 'reply-start':
        this.#start(event);
        return;
      case 'block-start':
        this.#writer?.startBlock(event.block);
        return;
      case 'block-delta':
        this.#writer?.addDelta(event.delta);
        return;
      case 'block-end':
        this.#writer?.endBlock();
        return;
      case 'logprobs':
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
    this.#frames += `event: ${type}\ndata: ${JSON.stringify(event)}\n\n`;
  }
}
