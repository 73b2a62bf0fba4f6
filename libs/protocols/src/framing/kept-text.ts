import { type JsonObject, parseObject } from '../json.js';
import { readEvents } from './read-events.js';

const FIRST_BYTES = 1_024;
/** Events kept beyond this size are turned into their text: a long stream stays small in memory, a short one costs nothing. */
const MOST_BYTES = 16 * 1_024;

/**
 * The text that a stream has produced, kept in case a tokenizer has to count it. Events are copied as they pass, into
 * one buffer that grows: keeping hold of each chunk would keep far more memory alive than its bytes.
 */
export class KeptText {
  readonly #readText: (event: JsonObject) => string;
  #bytes: Buffer | undefined;
  #length = 0;
  #text = '';

  /** @param readText the text that an event adds to the answer. */
  constructor(readText: (event: JsonObject) => string) {
    this.#readText = readText;
  }

  /** Keeps a block of whole events. */
  keep(block: Buffer): void {
    if (this.#length + block.length > MOST_BYTES) this.#fold();
    if (block.length > MOST_BYTES) {
      this.#text += this.#read(block);
      return;
    }
    this.#bytes = this.#makeRoom(block.length);
    block.copy(this.#bytes, this.#length);
    this.#length += block.length;
  }

  /** All text so far. */
  read(): string {
    this.#fold();
    return this.#text;
  }

  #makeRoom(bytes: number): Buffer {
    const known = this.#bytes;
    const needed = this.#length + bytes;
    if (known && known.length >= needed) return known;
    let size = known?.length ?? FIRST_BYTES;
    while (size < needed) size *= 2;
    const larger = Buffer.allocUnsafeSlow(size);
    known?.copy(larger, 0, 0, this.#length);
    return larger;
  }

  #fold(): void {
    if (this.#bytes) this.#text += this.#read(this.#bytes.subarray(0, this.#length));
    this.#length = 0;
  }

  #read(block: Buffer): string {
    let text = '';
    for (const { data } of readEvents(block)) {
      const event = data === undefined ? undefined : parseObject(data);
      if (event) text += this.#readText(event);
    }
    return text;
  }
}
