import { type JsonObject, parseObject } from '../json.js';
import { readEvents } from './read-events.js';

/** Events kept beyond this size are turned into their text: a long stream stays small in memory, a short one costs nothing. */
const MOST_BYTES = 32 * 1_024;

/**
 * The text that a stream has produced, kept in case a tokenizer has to count it. Keeping hold of the chunks themselves
 * would keep far more memory alive than their bytes.
 */
export class KeptText {
  readonly #readText: (event: JsonObject) => string;
  #events = '';
  #text = '';

  /** @param readText the text that an event adds to the answer. */
  constructor(readText: (event: JsonObject) => string) {
    this.#readText = readText;
  }

  /** Keeps a block of whole events, one character a byte. */
  keep(block: string): void {
    this.#events += block;
    if (this.#events.length > MOST_BYTES) this.#fold();
  }

  /** All text so far. */
  read(): string {
    this.#fold();
    return this.#text;
  }

  #fold(): void {
    for (const { data } of readEvents(Buffer.from(this.#events, 'latin1'))) {
      const event = data === undefined ? undefined : parseObject(data);
      if (event) this.#text += this.#readText(event);
    }
    this.#events = '';
  }
}
