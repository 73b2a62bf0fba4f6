const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

/** Of a polynomial hash that tells names apart well enough to count them. */
const HASH_FACTOR = 16_777_619;

/** Deeper than any answer of a provider. */
const MAX_DEPTH = 256;
/** 4,096 tokens with the 20 likeliest beside each, of three members: as much as answers hold with all that can be asked for. */
const MAX_MEMBERS = 300_000;
const MAX_CONTAINERS = 300_000;
/** Different names; objects of ever new names are the dearest to parse, and answers repeat theirs. */
const MAX_NEW_NAMES = 10_000;
/** Values of a chat's answer or of an event; only vectors hold more, and they say so. */
const MAX_VALUES = 500_000;

/** Watches the JSON of an upstream while it comes in, so that none is parsed that would take long for its shape. */
export class JsonShape {
  #isInString = false;
  #isEscaped = false;
  #depth = 0;
  #members = 0;
  #containers = 0;
  #values = 0;
  /** Hashes of names. */
  readonly #names = new Set<number>();
  /** Hash of the last string, or of what has come of it. */
  #hash = 0;
  readonly #maxValues: number;

  /** @param holdsVectors whether numbers may be as many as fit: an answer of 2,048 embeddings holds millions. */
  constructor(holdsVectors = false) {
    this.#maxValues = holdsVectors ? Infinity : MAX_VALUES;
  }

  /** @returns false once there is more than any honest answer holds. */
  push(chunk: Buffer): boolean {
    for (let at = this.#isInString ? this.#skipString(chunk, 0) : 0; at < chunk.length; at++) {
      const byte = chunk[at];
      if (byte === QUOTE) at = this.#skipString(chunk, at + 1) - 1;
      else if (byte === COMMA) this.#values++;
      else if (byte === COLON) this.#countMember();
      else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        this.#containers++;
        if (++this.#depth > MAX_DEPTH) return false;
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) this.#depth--;
    }
    return (
      this.#members <= MAX_MEMBERS &&
      this.#names.size <= MAX_NEW_NAMES &&
      this.#containers <= MAX_CONTAINERS &&
      this.#values <= this.#maxValues
    );
  }

  #countMember(): void {
    this.#members++;
    if (this.#names.size <= MAX_NEW_NAMES) this.#names.add(this.#hash);
  }

  /** @returns where the string that is being read has ended, or the chunk's length. */
  #skipString(chunk: Buffer, from: number): number {
    let hash = this.#isInString ? this.#hash : 0;
    this.#isInString = true;
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at];
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTE) {
        this.#isInString = false;
        this.#hash = hash;
        return at + 1;
      }
      hash = (Math.imul(hash, HASH_FACTOR) + (byte ?? 0)) | 0;
    }
    this.#hash = hash;
    return chunk.length;
  }
}
