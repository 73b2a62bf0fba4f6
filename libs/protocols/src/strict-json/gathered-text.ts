const BEYOND_LATIN1 = /[\u0100-\uffff]/;

/**
 * Joins pieces of a text into one flat string. `+=` makes a tree of pieces in V8's heap, which is flattened in one go by the
 * first that searches it: 40 to 80 ms for 30 MB, and the garbage collector stops for longer the more such pieces there are.
 */
export class GatheredText {
  #buffer: Buffer;
  #used = 0;
  #encoding: 'latin1' | 'utf16le' = 'latin1';

  /** @param maxLength of the text, in UTF-16 code units. */
  constructor(private readonly maxLength: number) {
    this.#buffer = Buffer.allocUnsafeSlow(maxLength);
  }

  add(piece: string): void {
    if (this.#encoding === 'latin1' && BEYOND_LATIN1.test(piece)) this.#widen();
    this.#used += this.#buffer.write(piece, this.#used, this.#encoding);
  }

  join(): string {
    return this.#buffer.toString(this.#encoding, 0, this.#used);
  }

  #widen(): void {
    const text = this.join();
    this.#encoding = 'utf16le';
    this.#buffer = Buffer.allocUnsafeSlow(2 * this.maxLength);
    this.#used = this.#buffer.write(text, 0, this.#encoding);
  }
}
