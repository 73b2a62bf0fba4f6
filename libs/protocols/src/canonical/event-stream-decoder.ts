import { GatewayError } from '@mg/contract';
import { EventReader, type DecodedEvent } from '../framing/decode-events.js';
import { EventTooLargeError } from '../framing/event-splitter.js';
import { type LargeBlockEvent, parseLargeData } from '../framing/read-large-events.js';
import { isObject, type JsonObject, parseExactObject } from '../json.js';
import { writeArgumentsInSlices } from './arguments-in-slices.js';
import type { StreamDecoder } from './codec.js';
import { holdsTooMuch } from './limit-items.js';
import { EventWriter } from './event-writer.js';
import type { CanonicalEvent, Fault } from './events.js';
import { isTooDeep } from './refuse.js';
import { replayReply } from './replay-reply.js';
import type { CanonicalReply } from './reply.js';
import { runInSlices, type Steps } from './steps.js';
import { garbled, TRUNCATED } from './stream-faults.js';

export type Pause = () => Promise<void>;

/** Shorter data hold no more than is converted at once. */
const NARROW_CHARACTERS = 32 * 1024;
const TOO_MUCH = 'an event holds more than any answer does';

/** Shorter data cannot be nested so deep that reading it is a danger. */
const SHALLOW_CHARACTERS = 2048;

/** Frame of a decoder of server-sent events whose data is JSON: what is left is a protocol's reading of each. */
export abstract class EventStreamDecoder implements StreamDecoder {
  protected readonly writer = new EventWriter();
  readonly #reader = new EventReader();

  push(chunk: Buffer): CanonicalEvent[] {
    if (this.writer.ended) return [];
    try {
      for (const event of this.#reader.push(chunk)) this.#readOne(event);
    } catch (error) {
      if (!(error instanceof EventTooLargeError)) throw error;
      this.writer.fault(garbled('an event is too large'));
    }
    return this.writer.take();
  }

  pushInSteps(chunk: Buffer, pause: Pause): CanonicalEvent[] | Promise<CanonicalEvent[]> {
    if (this.writer.ended) return [];
    try {
      const events = this.#reader.pushInSteps(chunk, pause);
      if (!Array.isArray(events)) return this.#readLarge(events, pause);
      for (const event of events) this.#readOne(event);
    } catch (error) {
      if (!(error instanceof EventTooLargeError)) throw error;
      this.writer.fault(garbled('an event is too large'));
    }
    return this.writer.take();
  }

  endInSteps(pause: Pause): CanonicalEvent[] | Promise<CanonicalEvent[]> {
    if (this.writer.ended) return [];
    const events = this.#reader.endInSteps(pause);
    if (!Array.isArray(events)) {
      return this.#readLarge(events, pause).then((decoded) => [...decoded, ...this.#conclude()]);
    }
    for (const event of events) this.#readOne(event);
    return this.#conclude();
  }

  end(): CanonicalEvent[] {
    if (this.writer.ended) return [];
    for (const event of this.#reader.end()) this.#readOne(event);
    return this.#conclude();
  }

  #conclude(): CanonicalEvent[] {
    if (!this.writer.ended) {
      const body = this.#reader.takeBody();
      if (body.trim() === '') this.conclude();
      else this.#readBody(body);
    }
    return this.writer.take();
  }

  /** Reads one event; everything after the end is passed over. */
  protected abstract readEvent(event: JsonObject, name: string | undefined): void;
  /** The same of a long event, in steps where it takes more than its items do. */
  protected *readInSteps(event: JsonObject, name: string | undefined): Steps<void> {
    yield;
    this.readEvent(event, name);
  }

  /** Reads data that is no JSON, as `[DONE]`; `false` when it means nothing. */
  protected abstract readMark(data: string): boolean;
  /** The connection has ended. */
  protected abstract conclude(): void;
  protected abstract decodeReply(body: JsonObject): CanonicalReply;
  protected abstract readFaultObject(body: JsonObject): Fault | undefined;
  /** What is converted one by one in an event. */
  protected abstract countItems(event: JsonObject): number;
  /** Arguments of calls that an event carries as objects; they are written before it is read. */
  protected listInputs(_event: JsonObject): readonly object[] {
    return [];
  }

  /** Reads the likelihoods of an event in steps before it is read, where they have another shape than those of OpenAI's chat. */
  protected async noteLogprobs(_event: JsonObject, _pause: Pause): Promise<void> {}

  async #readLarge(events: AsyncIterable<LargeBlockEvent>, pause: Pause): Promise<CanonicalEvent[]> {
    for await (const { event, data, bytes } of events) {
      if (this.writer.ended) break;
      if (!bytes) {
        this.#readOne({ event, data: data ?? '' });
        continue;
      }
      const parsed = await parseLargeData(bytes, pause);
      if (!parsed) this.writer.fault(garbled('an event holds no JSON object'));
      else if (holdsTooMuch(this.countItems(parsed.exact))) this.writer.fault(garbled(TOO_MUCH));
      else {
        await writeArgumentsInSlices(this.listInputs(parsed.exact), pause);
        await this.noteLogprobs(parsed.exact, pause);
        await runInSlices(this.readInSteps(parsed.exact, event), pause);
      }
    }
    return this.writer.take();
  }

  #readOne({ event, data }: DecodedEvent): void {
    if (this.writer.ended || this.readMark(data)) return;
    const parsed = parseExactObject(data);
    if (!parsed || (data.length > SHALLOW_CHARACTERS && isTooDeep(parsed)))
      this.writer.fault(garbled('an event holds no JSON object'));
    else if (data.length > NARROW_CHARACTERS && holdsTooMuch(this.countItems(parsed)))
      this.writer.fault(garbled(TOO_MUCH));
    else this.readEvent(parsed, event);
  }

  /** A body that is no event stream: an error, or the whole answer at once. */
  #readBody(body: string): void {
    const parsed = parseExactObject(body);
    if (!parsed) {
      this.writer.fault(TRUNCATED);
      return;
    }
    const fault =
      isObject(parsed.error) || parsed.type === 'error' ? this.readFaultObject(parsed) : undefined;
    if (fault) {
      this.writer.fault(fault);
      return;
    }
    try {
      replayReply(this.decodeReply(parsed), this.writer);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      this.writer.fault(garbled('it is no event stream'));
    }
  }
}
