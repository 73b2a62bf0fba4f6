/** Counted character by character; the bytes of ten megabytes of emoji take 7 to 16 ms. */
const MOST_COUNTED = 256 * 1024;
/** No character of UTF-16 takes more in UTF-8. */
const MOST_BYTES_OF_CHARACTER = 3;

/**
 * The bytes of texts in UTF-8; of long ones at most so many as they have.
 *
 * @param most as many as they have in any case: those of the body that they came in, where escapes are no shorter.
 */
export function boundBytes(texts: readonly string[], most: number): number {
  const characters = texts.reduce((sum, text) => sum + text.length, 0);
  if (characters > MOST_COUNTED) return Math.min(most, characters * MOST_BYTES_OF_CHARACTER);
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}
