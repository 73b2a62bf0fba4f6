import { joinInSlices, mergeUsage, type Usage } from '@mg/contract';
import type { Block } from '../canonical/blocks.js';
import type { Codec, ReplyContext, StreamDecoder, StreamEncoder } from '../canonical/codec.js';
import { StopCutter } from '../canonical/cut-at-stop.js';
import type { CanonicalEvent } from '../canonical/events.js';
import { GrowingText } from '../canonical/growing-text.js';
import { dropCitations } from '../canonical/limit-citations.js';
import { isCitable } from '../canonical/limit-items.js';
import { cutLogprobs } from '../canonical/logprobs.js';
import type { JsonObject } from '../json.js';
import type { StreamReader } from './chat-protocol.js';

type Pause = () => Promise<void>;

/** Characters that are written in one step. */
const STEP_CHARACTERS = 64 * 1024;
/** A text of a million tokens: some protocols report the whole text once more at the end, and the bill may have to count it. */
const MAX_TEXT_CHARACTERS = 4 * 1024 * 1024;
const TOO_LONG = 'The answer is longer than any model gives.';
const NOTHING = Buffer.alloc(0);

/** Turns an upstream's stream into one of the client's protocol, event by event, and keeps what the bill needs. */
export class ConvertingStream implements StreamReader {
  readonly #decoder: StreamDecoder;
  readonly #encoder: StreamEncoder;
  readonly #cutter: StopCutter;
  #usage: Usage | undefined;
  #fault: JsonObject | undefined;
  #ended = false;
  #events = 0;
  readonly #text = new GrowingText();

  /** @param stops strings at which the answer is cut here, because the upstream does not take them. */
  constructor(upstream: Codec, client: Codec, context: ReplyContext, stops: readonly string[] = []) {
    this.#cutter = new StopCutter(stops);
    this.#decoder = upstream.createStreamDecoder();
    this.#encoder = client.createStreamEncoder(context);
  }

  get usage(): Usage | undefined {
    return this.#usage;
  }

  get fault(): JsonObject | undefined {
    return this.#fault;
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** The reply's end is the last thing there is. */
  get done(): boolean {
    return this.#ended;
  }

  get events(): number {
    return this.#events;
  }

  push(chunk: Buffer): Buffer;
  push(chunk: Buffer, pause: Pause): Buffer | Promise<Buffer>;
  push(chunk: Buffer, pause?: Pause): Buffer | Promise<Buffer> {
    return pause
      ? this.#convertInSteps(this.#decoder.pushInSteps(chunk, pause), pause)
      : this.#convert(this.#decoder.push(chunk));
  }

  end(): Buffer;
  end(pause: Pause): Buffer | Promise<Buffer>;
  end(pause?: Pause): Buffer | Promise<Buffer> {
    return pause
      ? this.#convertInSteps(this.#decoder.endInSteps(pause), pause)
      : this.#convert(this.#decoder.end());
  }

  readText(): string | readonly string[] {
    return this.#text.read();
  }

  #convert(events: readonly CanonicalEvent[]): Buffer {
    let text = '';
    for (const event of events) text += this.#convertOne(event);
    return toBytes(text);
  }

  #convertInSteps(
    events: readonly CanonicalEvent[] | Promise<readonly CanonicalEvent[]>,
    pause: Pause,
  ): Buffer | Promise<Buffer> {
    if (events instanceof Promise) return events.then((read) => this.#convertLarge(read, '', pause));
    let text = '';
    for (const [at, event] of events.entries()) {
      // What was kept until now may be megabytes of short events: calls that came side by side.
      const isMuch = text.length >= STEP_CHARACTERS;
      if (isMuch || this.#encoder.late?.isLong(event)) {
        return this.#convertLarge(events.slice(at), text, pause);
      }
      text += this.#convertOne(event);
    }
    return toBytes(text);
  }

  /**
   * Events of which one is long: long texts are sent piece by piece, and what is written late in steps.
   *
   * @param before what was written before them.
   */
  async #convertLarge(events: readonly CanonicalEvent[], before: string, pause: Pause): Promise<Buffer> {
    const pieces: Buffer[] = [];
    let text = before;
    let inStep = 0;
    const { late } = this.#encoder;
    for (const event of events.flatMap(cutLong)) {
      for (const part of this.#take(event)) {
        if (late?.isLong(part)) {
          inStep += text.length;
          pieces.push(Buffer.from(text), ...(await late.encode(part, pause)));
          text = '';
        } else text += this.#encoder.encode(part);
      }
      if (inStep + text.length < STEP_CHARACTERS) continue;
      pieces.push(Buffer.from(text));
      text = '';
      inStep = 0;
      await pause();
    }
    pieces.push(Buffer.from(text));
    return joinInSlices(pieces, pause);
  }

  #convertOne(event: CanonicalEvent): string {
    let text = '';
    for (const part of this.#take(event)) text += this.#encoder.encode(part);
    return text;
  }

  /** Reads an event. @returns what of it the client gets. */
  #take(event: CanonicalEvent): readonly CanonicalEvent[] {
    if (this.#ended || this.#fault) return [];
    this.#note(event);
    if (this.#text.length > MAX_TEXT_CHARACTERS) this.#fault ??= { error: { message: TOO_LONG } };
    if (this.#fault) return [];
    if (isCitable(this.#text.length)) return this.#cutter.cut(event);
    return dropCitations(event).flatMap((kept) => this.#cutter.cut(kept));
  }

  #note(event: CanonicalEvent): void {
    switch (event.type) {
      case 'usage':
        this.#usage = this.#usage ? mergeUsage(this.#usage, event.usage) : event.usage;
        return;
      case 'fault':
        this.#fault = { error: { ...event.fault } };
        return;
      case 'reply-end':
        this.#ended = true;
        return;
      case 'block-start':
        this.#text.add(readBlockText(event.block));
        return;
      case 'block-delta':
        this.#events++;
        if (event.delta.type === 'text' || event.delta.type === 'reasoning') this.#text.add(event.delta.text);
        else if (event.delta.type === 'arguments') this.#text.add(event.delta.json);
        return;
      default:
    }
  }
}

/** A long text, long arguments or many likelihoods as several pieces; what is none of them stays whole. */
function cutLong(event: CanonicalEvent): readonly CanonicalEvent[] {
  if (event.type === 'logprobs') {
    return cutLogprobs(event.logprobs).map((logprobs) => ({ ...event, logprobs }));
  }
  if (event.type === 'block-start') {
    const { block } = event;
    if (block.type !== 'tool-call' || block.arguments.length <= STEP_CHARACTERS) return [event];
    const { choice, index } = event;
    const deltas = cutText(block.arguments).map((json) => ({ type: 'arguments', json }) as const);
    return [
      { ...event, block: { ...block, arguments: '' } },
      ...deltas.map((delta) => ({ type: 'block-delta', choice, index, delta }) as const),
    ];
  }
  if (event.type !== 'block-delta') return [event];
  const { delta } = event;
  if (delta.type === 'arguments') {
    return cutText(delta.json).map((json) => ({ ...event, delta: { ...delta, json } }));
  }
  if (delta.type !== 'text' && delta.type !== 'reasoning') return [event];
  return cutText(delta.text).map((text) => ({ ...event, delta: { ...delta, text } }));
}

/** Cuts a long text, not between the two halves of a character. */
function cutText(text: string): readonly string[] {
  if (text.length <= STEP_CHARACTERS) return [text];
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = start + STEP_CHARACTERS;
    if ((text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end--;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
}

function toBytes(text: string): Buffer {
  return text === '' ? NOTHING : Buffer.from(text, 'utf8');
}

/** The text that a block opens with: all of it where the block comes whole. */
function readBlockText(block: Block): string {
  if (block.type === 'text' || block.type === 'reasoning') return block.text;
  return block.type === 'tool-call' ? block.name + block.arguments : '';
}
