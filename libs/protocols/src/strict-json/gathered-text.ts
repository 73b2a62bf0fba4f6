import { isAscii, isUtf8, transcode } from 'node:buffer';
import { freeBuffer } from '@mg/contract';
import type { MakeText } from './to-text.js';

const BEYOND_LATIN1 = /[\u0100-\uffff]/;
/** Characters that are widened in one step. */
const WIDENED_CHARACTERS = 256 * 1024;

/**
 * Joins pieces of a text into one flat string, or a few large ones. `+=` makes a tree of pieces in V8's heap, which is flattened in one go by the
 * first that searches it: 40 to 80 ms for 30 MB, and the garbage collector stops for longer the more such pieces there are.
 */
export class GatheredText {
  #buffer: Buffer;
  #used = 0;
  #encoding: 'latin1' | 'utf16le' = 'latin1';

  /**
   * @param maxLength of the text, in UTF-16 code units.
   * @param pause is waited for between two steps.
   */
  constructor(
    private readonly maxLength: number,
    private readonly pause: () => Promise<void>,
  ) {
    this.#buffer = Buffer.allocUnsafeSlow(maxLength);
  }

  async add(piece: string): Promise<void> {
    if (this.#encoding === 'latin1' && BEYOND_LATIN1.test(piece)) await this.#widen();
    this.#used += this.#buffer.write(piece, this.#used, this.#encoding);
  }

  /** The same as adding the text of these bytes. Of ASCII, and after letters beyond Latin-1, no string is made in V8's heap. */
  async addUtf8(bytes: Buffer): Promise<void> {
    if (this.#encoding === 'latin1' && isAscii(bytes)) {
      this.#used += bytes.copy(this.#buffer, this.#used);
      return;
    }
    if (this.#encoding === 'latin1' || !isUtf8(bytes)) return this.add(bytes.toString());
    const units = transcode(bytes, 'utf8', 'utf16le');
    this.#used += units.copy(this.#buffer, this.#used);
    freeBuffer(units);
  }

  /** What is made of the whole text. Nothing can be added afterwards. */
  async join<Text>(make: MakeText<Text>): Promise<Text> {
    const text = await make(this.#buffer.subarray(0, this.#used), this.#encoding);
    freeBuffer(this.#buffer);
    return text;
  }

  /** What came before the first character that takes two bytes may have megabytes. */
  async #widen(): Promise<void> {
    const narrow = this.#buffer;
    const wide = Buffer.allocUnsafeSlow(2 * this.maxLength);
    let used = 0;
    for (let at = 0; at < this.#used; at += WIDENED_CHARACTERS) {
      if (at > 0) await this.pause();
      const end = Math.min(at + WIDENED_CHARACTERS, this.#used);
      used += wide.write(narrow.toString('latin1', at, end), used, 'utf16le');
    }
    freeBuffer(narrow);
    this.#buffer = wide;
    this.#used = used;
    this.#encoding = 'utf16le';
  }
}
