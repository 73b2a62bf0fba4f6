import { digestId } from './digest-id.js';

const SHORT_HASH = 35;

/** An id that OpenAI's protocols take, which know no limits but of length; a longer one becomes the same one every time. */
export function shortenCallId(id: string, maxLength: number): string {
  if (id.length <= maxLength) return id;
  return `call_${digestId(id).slice(0, SHORT_HASH)}`;
}

/**
 * Of an id that is looked up, in characters. Maps take time for each character of a key, and those of over 16 K characters and one length
 * are compared with each other, one by one.
 */
const LONGEST_ID = 512;

/** An id of a call as a client sent it, the same for the call and its result: a longer one than providers give becomes short. */
export function readCallId(id: string): string {
  return shortenCallId(id, LONGEST_ID);
}

/** Of an id whose characters are replaced one by one: there may be thousands. */
const LONGEST_REPLACED = 64;
/** Of the number that tells ids apart. */
const LONGEST_SUFFIX = 8;
const VALID = /^[a-zA-Z0-9_-]+$/;

/**
 * Ids of calls as protocols take them that want letters, digits, `_` and `-`, each used once in a conversation. Others are
 * rewritten, the call and its result alike.
 */
export class CallIds {
  readonly #maxLength: number;
  readonly #used = new Set<string>();
  /** The last number that ids of this beginning have got: thousands of calls may have the same. */
  readonly #counts = new Map<string, number>();
  readonly #written = new Map<string, string>();

  constructor(maxLength = Infinity) {
    this.#maxLength = maxLength;
  }

  /** The id to write for a call. */
  add(id: string): string {
    const valid = toValid(id);
    // The end of an id distinguishes it from others: what it begins with is often the same for all.
    const short = valid.slice(-this.#maxLength);
    let unique = short;
    const start = short.slice(0, this.#maxLength - LONGEST_SUFFIX);
    let count = this.#counts.get(start) ?? 1;
    while (this.#used.has(unique)) {
      const suffix = `_${++count}`;
      unique = short.slice(0, this.#maxLength - suffix.length) + suffix;
    }
    this.#counts.set(start, count);
    this.#used.add(unique);
    this.#written.set(id, unique);
    return unique;
  }

  /** The id that the latest call of this name was written with. */
  find(id: string): string {
    return this.#written.get(id) ?? id;
  }
}

function toValid(id: string): string {
  if (VALID.test(id)) return id;
  if (id.length > LONGEST_REPLACED) return shortenCallId(id, LONGEST_REPLACED);
  return id.replaceAll(/[^a-zA-Z0-9_-]+/g, '_') || 'call';
}
