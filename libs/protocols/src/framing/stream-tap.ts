import { mergeUsage, type Usage } from '@mg/contract';
import { parseObject, type JsonObject } from '../json.js';
import { EventSplitter } from './event-splitter.js';
import { KeptText } from './kept-text.js';
import { readEvents } from './read-events.js';

/** How a protocol's stream is read along: what to look for in the bytes, and what an event that holds it says. */
export interface TapReader {
  /** Bytes without which an event holds no usage, no failure, no end. */
  readonly marks: { readonly usage: Buffer; readonly fault: Buffer; readonly end: Buffer };
  readUsage(event: JsonObject): Usage | undefined;
  /** The error object of an event that tells of a failure. */
  readFault(event: JsonObject): JsonObject | undefined;
  /** Whether the event says that the answer is whole. */
  isEnd(event: JsonObject): boolean;
  /** Whether nothing comes after the event; left out where only the connection's end tells. */
  isLast?(event: JsonObject): boolean;
  /** The text that the event adds to the answer. */
  readText(event: JsonObject): string;
}

const NOTHING = Buffer.alloc(0);

/** Reads along a stream that is forwarded as it is: takes usage out of it and keeps what was produced for counting. */
export class StreamTap {
  readonly #reader: TapReader;
  readonly #splitter = new EventSplitter();
  #usage: Usage | undefined;
  #fault: JsonObject | undefined;
  readonly #kept: KeptText;
  #events = 0;
  #ended = false;
  #done = false;

  constructor(reader: TapReader) {
    this.#reader = reader;
    this.#kept = new KeptText((event) => reader.readText(event));
  }

  /** Usage as the upstream reported it, once it has. */
  get usage(): Usage | undefined {
    return this.#usage;
  }

  /** The error event, once the upstream has sent one. Neither it nor anything after it is forwarded: its words are not for the client. */
  get fault(): JsonObject | undefined {
    return this.#fault;
  }

  /** Whether the upstream said that the answer is whole: a connection may close before that. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Whether the last event of the stream has come: nothing is waited for after it. */
  get done(): boolean {
    return this.#done;
  }

  /** Events forwarded so far: a lower bound of the tokens produced that costs nothing to know. */
  get events(): number {
    return this.#events;
  }

  /**
   * Takes bytes of the upstream and returns those to forward now: whole events, untouched.
   *
   * @throws EventTooLargeError
   */
  push(chunk: Buffer): Buffer {
    const block = this.#splitter.push(chunk);
    return block === undefined ? NOTHING : this.#read(block);
  }

  /** Bytes to forward after the upstream's last one. */
  end(): Buffer {
    const rest = this.#splitter.takeRest();
    return rest === undefined ? NOTHING : this.#read(rest);
  }

  /** All text produced so far, for a tokenizer. */
  readText(): string {
    return this.#kept.read();
  }

  #read(block: Buffer): Buffer {
    if (this.#fault) return NOTHING;
    this.#events++;
    this.#kept.keep(block);
    const { usage, fault, end } = this.#reader.marks;
    return block.includes(usage) || block.includes(fault) || block.includes(end)
      ? this.#inspect(block)
      : block;
  }

  /** Reads the events of a block. @returns the bytes before an error event, which is everything where there is none. */
  #inspect(block: Buffer): Buffer {
    for (const { start, data } of readEvents(block)) {
      const event = data === undefined ? undefined : parseObject(data);
      if (!event) continue;
      const usage = this.#reader.readUsage(event);
      if (usage) this.#usage = this.#usage ? mergeUsage(this.#usage, usage) : usage;
      this.#fault = this.#reader.readFault(event);
      if (this.#fault) return block.subarray(0, start);
      this.#ended ||= this.#reader.isEnd(event);
      this.#done ||= this.#reader.isLast?.(event) ?? false;
    }
    return block;
  }
}
