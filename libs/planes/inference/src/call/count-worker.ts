import { readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants';

// Runs in a thread of its own and imports no file of this repository, so that the same file runs compiled and, by Node's
// type stripping, from its source.

/** A text to count, and its count. */
interface CountJob {
  readonly id: number;
  readonly text: string;
}

/** A line for each token: its bytes in base64, a space, and its rank, which is the number of the line. */
const TOKENS_FILE = new URL(import.meta.resolve('gpt-tokenizer/data/o200k_base.tiktoken'));
/** Places of the hash table: a power of two, and more than twice as many as there are tokens. */
const SLOTS = 2 ** 19;
/** No longer text is counted, in bytes of UTF-8. */
const LONGEST_TEXT = 256 * 1024;
/** Of bytes that are no token: behind every rank. */
const NO_RANK = 0x7fffffff;
const NEWLINE = 0x0a;
const SPACE = 0x20;
const PADDING = 0x3d;
/** Values of base64's digits, by their bytes. */
const DIGIT_OF = new Uint8Array(128);
for (const [value, digit] of Buffer.from(
  'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
).entries()) {
  DIGIT_OF[digit] = value;
}
const BITS_OF_DIGIT = 6;
const BITS_OF_BYTE = 8;
const HIGHEST_ASCII = 0x7f;
/** FNV-1a for 32 bits. @see https://datatracker.ietf.org/doc/html/draft-eastlake-fnv */
const HASH_START = 0x811c9dc5;
const HASH_PRIME = 0x01000193;

/**
 * The tokens of the encoding, by their bytes. All of them take 4 MB in typed arrays; the strings and maps of the package took
 * ten times that in every process, and 350 ms to be made.
 */
class Tokens {
  /** All tokens, one behind the other. */
  #bytes: Uint8Array;
  /** Where the token of each rank begins; the next begins where it ends. */
  readonly #starts = new Uint32Array(SLOTS / 2);
  /** The token with a hash, or the first place behind it that was free: its rank and 1; 0 where there is none. */
  readonly #slots = new Uint32Array(SLOTS);

  /** @param file is taken over: tokens are shorter than their lines, so they are written over those that have been read. */
  constructor(file: Buffer<ArrayBuffer>) {
    this.#bytes = file;
    let end = 0;
    for (let at = 0, rank = 0; at < file.length; at = file.indexOf(NEWLINE, at) + 1, rank++) {
      const start = end;
      // By hand: strings and buffers for 200,000 lines would be most of what a process takes to start.
      for (let bits = 0, value = 0; file[at] !== SPACE && file[at] !== PADDING; at++) {
        value = (value << BITS_OF_DIGIT) | (DIGIT_OF[file[at] ?? 0] ?? 0);
        bits += BITS_OF_DIGIT;
        if (bits < BITS_OF_BYTE) continue;
        bits -= BITS_OF_BYTE;
        file[end++] = value >>> bits;
      }
      this.#starts[rank + 1] = end;
      this.#slots[this.#findSlot(file, start, end)] = rank + 1;
    }
    this.#bytes = new Uint8Array(file.buffer.transfer(end));
  }

  /** Rank of the token that has these bytes, or `NO_RANK`. */
  rank(bytes: Uint8Array, start: number, end: number): number {
    const found = this.#slots[this.#findSlot(bytes, start, end)] ?? 0;
    return found === 0 ? NO_RANK : found - 1;
  }

  /** Where the token with these bytes is, or is to be. */
  #findSlot(bytes: Uint8Array, start: number, end: number): number {
    let hash = HASH_START;
    for (let at = start; at < end; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), HASH_PRIME);
    let slot = (hash ^ (hash >>> 15)) & (SLOTS - 1);
    for (;;) {
      const found = this.#slots[slot] ?? 0;
      if (found === 0 || this.#has(found - 1, bytes, start, end)) return slot;
      slot = (slot + 1) & (SLOTS - 1);
    }
  }

  #has(rank: number, bytes: Uint8Array, start: number, end: number): boolean {
    const from = this.#starts[rank] ?? 0;
    if ((this.#starts[rank + 1] ?? 0) - from !== end - start) return false;
    for (let at = start; at < end; at++) if (this.#bytes[from + at - start] !== bytes[at]) return false;
    return true;
  }
}

const tokens = new Tokens(readFileSync(TOKENS_FILE));
const encoder = new TextEncoder();
/** The word that is counted, and the parts that it is merged from: where each begins, and the rank of it with the next. */
const word = new Uint8Array(LONGEST_TEXT);
const starts = new Uint32Array(LONGEST_TEXT + 1);
const ranks = new Uint32Array(LONGEST_TEXT + 1);

/** A word of the encoding. Each begins where the last one ends, so that its end is all that is asked for: matches are garbage. */
const WORD = new RegExp(O200K_TOKEN_SPLIT_REGEX);

/** Tokens of a text: of each word that the encoding cuts it into. Markers such as `<|endoftext|>` count as the text they are. */
function countText(text: string): number {
  let counted = 0;
  for (let start = (WORD.lastIndex = 0); WORD.test(text); start = WORD.lastIndex) {
    const length = writeWord(text, start, WORD.lastIndex);
    counted += tokens.rank(word, 0, length) === NO_RANK ? mergeWord(length) : 1;
  }
  return counted;
}

/** Writes a word of a text where words are counted. @returns its bytes. */
function writeWord(text: string, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    if (code > HIGHEST_ASCII) return encoder.encodeInto(text.slice(start, end), word).written;
    word[at - start] = code;
  }
  return end - start;
}

/** Byte pair encoding: the two neighbours that make the token of the lowest rank become one, until none make any. */
function mergeWord(length: number): number {
  let parts = length;
  for (let part = 0; part <= length; part++) starts[part] = part;
  for (let part = 0; part < length; part++) rankPair(part, parts);
  for (;;) {
    let lowest = NO_RANK;
    let first = 0;
    for (let part = 0; part < parts - 1; part++) {
      const rank = ranks[part] ?? NO_RANK;
      if (rank >= lowest) continue;
      lowest = rank;
      first = part;
    }
    if (lowest === NO_RANK) return parts;
    starts.copyWithin(first + 1, first + 2, parts + 1);
    ranks.copyWithin(first, first + 1, parts);
    parts--;
    rankPair(first, parts);
    if (first > 0) rankPair(first - 1, parts);
  }
}

/** Notes the rank of a part together with the one behind it. */
function rankPair(part: number, parts: number): void {
  ranks[part] = part + 1 < parts ? tokens.rank(word, starts[part] ?? 0, starts[part + 2] ?? 0) : NO_RANK;
}

/**
 * Runs of letters, of spaces and of everything else but digits, at most 64 characters of each. The tokenizer merges the
 * bytes of a run in quadratic time; cut, a text costs time by its length alone. No word of a language with spaces is as
 * long, so the count changes only for texts that are one long run, and by a token for each cut at most. Digits, which the
 * encoding itself cuts into threes, are in it so that each run begins where the last one ends; 31 of them, in whatever script,
 * have fewer than 64 characters.
 */
const RUNS = /[\p{L}\p{M}]{1,64}|\s{1,64}|[^\s\p{L}\p{N}]{1,64}|\p{N}{1,31}/gu;
const LONGEST_RUN = 64;

function count(text: string): number {
  let counted = 0;
  let start = 0;
  for (let at = (RUNS.lastIndex = 0); RUNS.test(text); at = RUNS.lastIndex) {
    const end = RUNS.lastIndex;
    if (end - at < LONGEST_RUN) continue;
    counted += countText(text.slice(start, end));
    start = end;
  }
  return counted + countText(text.slice(start));
}

/**
 * On Linux each thread has a priority of its own, and 0 is the calling one: on a machine that is full the thread that counts
 * gives way to the event loop, which everybody waits for. Elsewhere it would be that of the whole process.
 */
function lowerPriority(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Where that is not allowed, it counts at the usual priority.
  }
}

lowerPriority();
parentPort?.on('message', ({ id, text }: CountJob) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage({ id, tokens: count(text) });
});
