import { joinInSlices, mergeUsage, type Usage } from '@mg/contract';
import type { TextPieces } from '../canonical/text-pieces.js';
import { parseObject, type JsonObject } from '../json.js';
import { countBytes, EventSplitter } from './event-splitter.js';
import { KeptText } from './kept-text.js';
import { readEvents } from './read-events.js';
import { LARGE_BLOCK_BYTES, parseLargeData, readLargeBlock } from './read-large-events.js';

type Pause = () => Promise<void>;

/** How a protocol's stream is read along: which bytes are worth a look, and what an event says. */
export interface TapReader {
  /** Whether a block, one character a byte, may hold usage, a failure or an end; most do not and are never decoded. */
  mayMatter(block: string): boolean;
  /** Whether a block may tell of a tool that the provider runs; left out where streams do not tell of each before it is run. */
  mayRunTool?(block: string): boolean;
  readUsage(event: JsonObject): Usage | undefined;
  /** The event itself when it reports a failure. */
  readFault(event: JsonObject): JsonObject | undefined;
  /** Whether the event says that the answer is whole. */
  isEnd(event: JsonObject): boolean;
  /** Whether nothing comes after these data; left out where only the end of the connection shows it. */
  isLast?(data: string, event: JsonObject | undefined): boolean;
  /** Whether the event is the gateway's own business and not for the client. */
  isWithheld?(event: JsonObject): boolean;
  /** The text that the event adds to the answer; left out where answers are no text. */
  listTexts?(event: JsonObject): TextPieces;
  /** The same text where an event's data show it without being parsed, else `undefined`: most of a long stream's events do. */
  readPlainText?(data: string): string | undefined;
  /** Longest event, where that of texts is too short. */
  readonly maxEventBytes?: number;
}

/** Blocks longer than this hold an event that takes long to parse, and are parsed once at most. */
const LONG_BLOCK_BYTES = 64 * 1024;
/** Bytes that are searched in one step. */
const SEARCHED_BYTES = 512 * 1024;
/** Bytes of the longest text that `mayMatter` looks for. */
const LONGEST_MARK = 64;
const NOTHING = Buffer.alloc(0);

/**
 * Reads along a stream that is forwarded as it is: takes usage out of it without re-encoding, holds back what is not for
 * the client, and keeps what was produced for counting.
 */
export class StreamTap {
  readonly #reader: TapReader;
  readonly #splitter: EventSplitter;
  readonly #kept: KeptText | undefined;
  #usage: Usage | undefined;
  #fault: JsonObject | undefined;
  #events = 0;
  #hasRunTool = false;
  #ended = false;
  #done = false;

  constructor(reader: TapReader) {
    this.#reader = reader;
    this.#splitter = new EventSplitter(reader.maxEventBytes);
    const { listTexts, readPlainText } = reader;
    this.#kept = listTexts && new KeptText(listTexts, readPlainText);
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

  /** Blocks of events forwarded so far: a lower bound of the tokens produced that costs nothing to know. */
  get events(): number {
    return this.#events;
  }

  /** Whether the provider may have run a tool of its own by now; `undefined` where its stream does not tell of each. */
  get hasRunTool(): boolean | undefined {
    return this.#reader.mayRunTool && this.#hasRunTool;
  }

  /**
   * Takes bytes of the upstream and returns those to forward now: whole events, untouched.
   *
   * @param pause is waited for between two steps of reading a large event, where large ones are read in steps.
   * @throws EventTooLargeError
   */
  push(chunk: Buffer): Buffer;
  push(chunk: Buffer, pause: Pause): Buffer | Promise<Buffer>;
  push(chunk: Buffer, pause?: Pause): Buffer | Promise<Buffer> {
    return this.#take(this.#splitter.pushPieces(chunk), pause);
  }

  /** Bytes to forward after the upstream's last one. */
  end(): Buffer;
  end(pause: Pause): Buffer | Promise<Buffer>;
  end(pause?: Pause): Buffer | Promise<Buffer> {
    return this.#take(this.#splitter.takeRestPieces(), pause);
  }

  /** All text produced so far, for a tokenizer. */
  readText(): string | TextPieces {
    return this.#kept?.read() ?? '';
  }

  #take(pieces: readonly Buffer[] | undefined, pause: Pause | undefined): Buffer | Promise<Buffer> {
    if (!pieces) return NOTHING;
    const [first] = pieces;
    if (pieces.length === 1 && first) return this.#read(first);
    if (pause && countBytes(pieces) > LARGE_BLOCK_BYTES) return this.#readLarge(pieces, pause);
    return this.#read(Buffer.concat(pieces));
  }

  async #readLarge(pieces: readonly Buffer[], pause: Pause): Promise<Buffer> {
    if (this.#fault) return NOTHING;
    this.#events++;
    const block = await joinInSlices(pieces, pause);
    const mayMatter = await this.#mayMatter(block, pause);
    if (!mayMatter && !this.#kept) return block;
    const forwarded: Buffer[] = [];
    for await (const { start, end, data, bytes } of readLargeBlock(block, pause)) {
      const event = bytes ? (await parseLargeData(bytes, pause))?.value : parseData(data);
      if (event) await this.#kept?.addInSlices(event, pause);
      const isForClient = this.#noteEvent(event, bytes ? '' : data);
      if (this.#fault) break;
      if (isForClient) forwarded.push(block.subarray(start, end));
    }
    return isWhole(forwarded, block) ? block : joinInSlices(forwarded, pause);
  }

  async #mayMatter(block: Buffer, pause: Pause): Promise<boolean> {
    for (let at = 0; at < block.length; at += SEARCHED_BYTES) {
      // A mark may stand across the end of a slice.
      const slice = block.toString('latin1', at, at + SEARCHED_BYTES + LONGEST_MARK);
      if (this.#looksAt(slice)) return true;
      await pause();
    }
    return false;
  }

  /** @returns whether a block, one character a byte, may hold usage, a failure or an end. */
  #looksAt(block: string): boolean {
    this.#hasRunTool ||= this.#reader.mayRunTool?.(block) === true;
    return this.#reader.mayMatter(block);
  }

  #read(block: Buffer): Buffer {
    if (this.#fault) return NOTHING;
    this.#events++;
    const mayMatter = this.#looksAt(block.toString('latin1'));
    const keepsParsed = mayMatter && block.length > LONG_BLOCK_BYTES;
    if (!keepsParsed) this.#kept?.keep(block);
    return mayMatter ? this.#readClosely(block, keepsParsed) : block;
  }

  /**
   * Reads a block's events.
   *
   * @param keepsParsed whether their text is still to be kept.
   * @returns the bytes of those that are for the client.
   */
  #readClosely(block: Buffer, keepsParsed: boolean): Buffer {
    const forwarded: Buffer[] = [];
    for (const { start, end, data } of readEvents(block)) {
      const event = parseData(data);
      if (event && keepsParsed) this.#kept?.add(event);
      const isForClient = this.#noteEvent(event, data);
      if (this.#fault) break;
      if (isForClient) forwarded.push(block.subarray(start, end));
    }
    return isWhole(forwarded, block) ? block : Buffer.concat(forwarded);
  }

  /** @returns whether the event is for the client. */
  #noteEvent(event: JsonObject | undefined, data: string | undefined): boolean {
    if (event) this.#note(event);
    if (this.#fault) return false;
    if (data !== undefined && this.#reader.isLast?.(data, event)) this.#ended = this.#done = true;
    return !(event && this.#reader.isWithheld?.(event));
  }

  #note(event: JsonObject): void {
    this.#fault = this.#reader.readFault(event);
    if (this.#fault) return;
    const usage = this.#reader.readUsage(event);
    if (usage) this.#usage = this.#usage ? mergeUsage(this.#usage, usage) : usage;
    this.#ended ||= this.#reader.isEnd(event);
  }
}

function parseData(data: string | undefined): JsonObject | undefined {
  return data === undefined ? undefined : parseObject(data);
}

function isWhole([first, ...others]: readonly Buffer[], block: Buffer): boolean {
  return others.length === 0 && first?.length === block.length;
}

/** Makes `mayMatter` out of bytes without which an event says nothing of interest. */
export function containsAny(...marks: readonly string[]): (block: string) => boolean {
  return (block) => marks.some((mark) => block.includes(mark));
}
