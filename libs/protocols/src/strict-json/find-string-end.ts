const BACKSLASH = 0x5c;

/**
 * Looks for the quote that ends a string.
 *
 * @param text the same as `bytes`, a character for each byte: it is searched faster, its characters are read slower.
 *   Empty where `bytes` hold no quote.
 * @returns the quote's offset; the length of `bytes` when the string goes on, one more when its last byte escapes the next one.
 */
export function findStringEnd(bytes: Buffer, text: string, from: number): number {
  const { length } = bytes;
  for (let at = from; at < length;) {
    const found = text.indexOf('"', at);
    const quote = found < 0 ? length : found;
    const isEscaped = bytes[quote - 1] === BACKSLASH && countBackslashes(bytes, at, quote) % 2 === 1;
    if (found < 0) return isEscaped ? length + 1 : length;
    if (!isEscaped) return quote;
    at = quote + 1;
  }
  return Math.max(from, length);
}

/** Backslashes in a row that end at `to`, at most down to `from`, which nothing escapes. */
export function countBackslashes(bytes: Buffer, from: number, to: number): number {
  let start = to;
  while (start > from && bytes[start - 1] === BACKSLASH) start--;
  return to - start;
}
