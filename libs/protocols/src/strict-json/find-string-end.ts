const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** After an escaped quote another one may follow soon: searching for each would take longer than looking at the bytes between them. */
const LOOKED_AT_BYTES = 16;

/**
 * Looks for the quote that ends a string.
 *
 * @param text the same as `bytes`, a character for each byte: it is searched faster, its characters are read slower.
 *   Empty where `bytes` hold no quote.
 * @returns the quote's offset; the length of `bytes` when the string goes on, one more when its last byte escapes the next one.
 */
export function findStringEnd(bytes: Buffer, text: string, from: number): number {
  const { length } = bytes;
  let at = from;
  while (at < length) {
    const found = text.indexOf('"', at);
    const quote = found < 0 ? length : found;
    const isEscaped = bytes[quote - 1] === BACKSLASH && countBackslashes(bytes, at, quote) % 2 === 1;
    if (found < 0) return isEscaped ? length + 1 : length;
    if (!isEscaped) return quote;
    at = quote + 1;
    for (const to = Math.min(at + LOOKED_AT_BYTES, length); at < to; at++) {
      if (bytes[at] === QUOTE) return at;
      if (bytes[at] === BACKSLASH) at++;
    }
  }
  return at;
}

/** Backslashes in a row that end at `to`, at most down to `from`, which nothing escapes. */
export function countBackslashes(bytes: Buffer, from: number, to: number): number {
  let start = to;
  while (start > from && bytes[start - 1] === BACKSLASH) start--;
  return to - start;
}
