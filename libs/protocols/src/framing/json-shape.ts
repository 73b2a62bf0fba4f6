import { countBackslashes } from '../strict-json/find-string-end.js';
import { JsonOutline } from '../strict-json/json-outline.js';

const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
const SPACE = 0x20;
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
const MAX_NAME_BYTES = 4_096;
/** Of a long string, before its next quote is searched for. */
const LOOKED_AT_BYTES = 256;
/** Elements of one list, or members of one object: a list grows by being copied. */
const MAX_LENGTH = 500_000;

/** What the JSON of an upstream may hold. */
export interface ShapeLimits {
  readonly members: number;
  readonly containers: number;
  /** About; by the commas between them. */
  readonly values: number;
  /** Different ones; objects of ever new names are the most expensive to parse, and answers repeat theirs. */
  readonly names: number;
  /** Longest number, in characters: it is parsed, and written again, in one step. */
  readonly numberLength: number;
  /** Longest string, in bytes, that is read as one: it is copied in one step. Longer ones, of files, come in pieces. */
  readonly flatBytes: number;
}

/** A string of so many bytes is copied in five milliseconds. */
export const FLAT_BYTES = 16 * 1024 * 1024;

/** 16,384 tokens with the 20 likeliest beside each, of three members and with their bytes: as much as answers hold with
 * all that can be asked for. */
export const ANSWER_SHAPE: ShapeLimits = {
  members: 1_500_000,
  containers: 1_000_000,
  values: 4_000_000,
  names: 10_000,
  numberLength: Infinity,
  flatBytes: Infinity,
};
/** 2,048 embeddings of 3,072 numbers are six millions; pictures have up to 40 MB of base64. */
export const VECTOR_SHAPE: ShapeLimits = { ...ANSWER_SHAPE, values: 10_000_000, flatBytes: FLAT_BYTES };
/** An event of a stream. */
export const EVENT_SHAPE: ShapeLimits = {
  ...ANSWER_SHAPE,
  members: 300_000,
  containers: 300_000,
  values: 500_000,
};
/** JSON within a text: arguments of calls, and results of tools. No model writes so many names, or such numbers. */
export const INNER_SHAPE: ShapeLimits = {
  ...VECTOR_SHAPE,
  names: 20_000,
  numberLength: 64 * 1024,
  flatBytes: Infinity,
};

/**
 * Watches the JSON of an upstream while it comes in, so that none is parsed that would take much memory for its shape, and
 * notes where it can be cut to be parsed in steps.
 */
export class JsonShape {
  readonly #outline: JsonOutline;
  /** Offset of the chunk being read. */
  #base = 0;
  #isInString = false;
  #isEscaped = false;
  #depth = 0;
  #members = 0;
  #containers = 0;
  #values = 0;
  /** Commas so far of everything that is open, by depth. */
  readonly #lengths: number[] = [0];
  #longest = 0;
  /** Offsets of the last string. */
  #stringStart = 0;
  #stringEnd = 0;
  #longestName = 0;
  /** Offset behind the last token that was no number, `true`, `false` or `null`. */
  #scalarStart = 0;
  #longestScalar = 0;
  /** Hashes of names. */
  readonly #names = new Set<number>();
  /** Hash of the last string, or of what has come of it, as far as a name may go. */
  #hash = 0;
  readonly #limits: ShapeLimits;

  constructor(limits: ShapeLimits, outline = new JsonOutline()) {
    this.#limits = limits;
    this.#outline = outline;
  }

  /** Objects, lists and different names so far: what takes time to parse and convert, however few bytes it has. */
  get parts(): number {
    return this.#containers + this.#names.size;
  }

  /** Longest string, in bytes, that is read as one. */
  get flatBytes(): number {
    return this.#limits.flatBytes;
  }

  /** @returns false once there is more than any honest answer holds. */
  push(chunk: Buffer): boolean {
    const outline = this.#outline;
    const base = this.#base;
    let start = 0;
    if (this.#isInString) {
      start = this.#skipString(chunk, 0);
      this.#scalarStart = base + start;
    }
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (byte <= SPACE && isSpace(byte)) {
        this.#endScalar(base + at);
        at = this.#skipSpace(chunk, at) - 1;
        this.#scalarStart = base + at + 1;
      } else if (byte === QUOTE) {
        this.#stringStart = base + at;
        at = this.#skipString(chunk, at + 1) - 1;
        this.#scalarStart = base + at + 1;
      } else if (byte === COMMA) {
        this.#endScalar(base + at);
        this.#countValue();
        outline.comma(base + at);
      } else if (byte === COLON) {
        this.#scalarStart = base + at + 1;
        this.#countMember();
      } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
        this.#scalarStart = base + at + 1;
        this.#containers++;
        if (++this.#depth > MAX_DEPTH) return false;
        this.#lengths[this.#depth] = 0;
        outline.open(byte === OPEN_BRACE);
      } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
        this.#endScalar(base + at);
        this.#depth--;
        outline.close();
      }
    }
    this.#base += chunk.length;
    if (!this.#isInString) this.#measureScalar(this.#base);
    return this.#isWithinLimits();
  }

  /** All has come. @returns where it can be cut. */
  end(): JsonOutline {
    this.#outline.end(this.#base);
    return this.#outline;
  }

  #isWithinLimits(): boolean {
    const { members, containers, values, names, numberLength } = this.#limits;
    return (
      this.#members <= members &&
      this.#containers <= containers &&
      this.#values <= values &&
      this.#names.size <= names &&
      this.#longestName <= MAX_NAME_BYTES &&
      this.#longestScalar <= numberLength &&
      this.#longest <= MAX_LENGTH
    );
  }

  /** @param at where a token stands that a number may have come before. */
  #endScalar(at: number): void {
    this.#measureScalar(at);
    this.#scalarStart = at + 1;
  }

  /** @param end of the number, or what has come of it. */
  #measureScalar(end: number): void {
    this.#longestScalar = Math.max(this.#longestScalar, end - this.#scalarStart);
  }

  #countValue(): void {
    this.#values++;
    const length = (this.#lengths[this.#depth] ?? 0) + 1;
    this.#lengths[this.#depth] = length;
    if (length > this.#longest) this.#longest = length;
  }

  #countMember(): void {
    this.#members++;
    this.#outline.name(this.#stringStart, this.#stringEnd);
    this.#longestName = Math.max(this.#longestName, this.#stringEnd - this.#stringStart);
    if (this.#names.size <= this.#limits.names) this.#names.add(this.#hash);
  }

  /** @returns where the white space has ended. */
  #skipSpace(chunk: Buffer, from: number): number {
    let at = from + 1;
    while (isSpace(chunk[at])) at++;
    this.#outline.space(this.#base + from, this.#base + at);
    return at;
  }

  /** @returns where the string that is being read has ended, or the chunk's length. */
  #skipString(chunk: Buffer, from: number): number {
    let hash = this.#isInString ? this.#hash : 0;
    let isEscaped = this.#isEscaped;
    this.#isInString = true;
    const hashed = Math.min(chunk.length, this.#stringStart + MAX_NAME_BYTES - this.#base);
    let at = from;
    for (; at < hashed; at++) {
      const byte = chunk[at] ?? 0;
      if (isEscaped) isEscaped = false;
      else if (byte === BACKSLASH) isEscaped = true;
      else if (byte === QUOTE) {
        this.#isEscaped = false;
        this.#hash = hash;
        return this.#endString(at);
      }
      hash = (Math.imul(hash, HASH_FACTOR) + byte) | 0;
    }
    this.#isEscaped = isEscaped;
    this.#hash = hash;
    return this.#skipLongString(chunk, at);
  }

  /** The same for what is longer than a name may be. */
  #skipLongString(chunk: Buffer, from: number): number {
    let at = this.#isEscaped ? from + 1 : from;
    while (at < chunk.length) {
      // Escaped quotes may follow each other: searching for each would take longer than looking at the bytes between them.
      for (const to = Math.min(at + LOOKED_AT_BYTES, chunk.length); at < to; at++) {
        const byte = chunk[at];
        if (byte === QUOTE) {
          this.#isEscaped = false;
          return this.#endString(at);
        }
        if (byte === BACKSLASH) at++;
      }
      if (at >= chunk.length) break;
      const quote = findQuote(chunk, at);
      const isEscaped = countBackslashes(chunk, at, quote) % 2 === 1;
      at = isEscaped ? quote + 1 : quote;
    }
    this.#isEscaped = at > chunk.length;
    return chunk.length;
  }

  /** @param quote at its end. */
  #endString(quote: number): number {
    this.#isInString = false;
    this.#stringEnd = this.#base + quote + 1;
    this.#outline.string(this.#stringStart, this.#stringEnd);
    return quote + 1;
  }
}

/** @returns the chunk's length where there is none. */
function findQuote(chunk: Buffer, from: number): number {
  const found = chunk.indexOf(QUOTE, from);
  return found < 0 ? chunk.length : found;
}

function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === NEWLINE || byte === RETURN || byte === TAB;
}
