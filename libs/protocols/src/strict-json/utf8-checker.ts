import { isUtf8 } from 'node:buffer';

const NONE: Buffer = Buffer.alloc(0);
/** A character has at most three bytes after its first. */
const MOST_FOLLOWERS = 3;

/** Whether bytes that come in pieces are UTF-8; a character may be cut between two pieces. */
export class Utf8Checker {
  #cut: Buffer = NONE;

  /** @returns whether all bytes so far can be the beginning of UTF-8. */
  push(chunk: Buffer): boolean {
    if (this.#cut.length === 0 && isUtf8(chunk)) return true;
    const bytes = this.#cut.length > 0 ? Buffer.concat([this.#cut, chunk]) : chunk;
    const end = bytes.length - countCutBytes(bytes);
    // A copy: whoever gave the chunk may free it.
    this.#cut = Buffer.from(bytes.subarray(end));
    return isUtf8(bytes.subarray(0, end));
  }

  /** Whether the last character is whole. */
  end(): boolean {
    return this.#cut.length === 0;
  }
}

/** Bytes at the end that begin a character which goes on in the next piece. */
function countCutBytes(bytes: Buffer): number {
  for (let count = 1; count <= MOST_FOLLOWERS && count <= bytes.length; count++) {
    const byte = bytes[bytes.length - count] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return count < lengthOf(byte) ? count : 0;
  }
  return 0;
}

/** Length of a character by its first byte. */
function lengthOf(lead: number): number {
  if (lead >= 0xf0) return 4;
  return lead >= 0xe0 ? 3 : 2;
}
