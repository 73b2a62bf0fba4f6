const SPACE = 0x20;
const WORD_BYTES = 4;
const SPACES = 0x20202020;
const HIGH_BITS = 0x80808080;

/**
 * Whether a text has characters that JSON wants escaped whatever stands around them, those below the space.
 *
 * @param bytes in UTF-8, which are looked at four at a time.
 */
export function holdsControlCharacter(bytes: Uint8Array): boolean {
  const { buffer, byteOffset, length } = bytes;
  if (length < 2 * WORD_BYTES) return holdsByteBelowSpace(bytes);
  const begin = -byteOffset & (WORD_BYTES - 1);
  const words = new Int32Array(buffer, byteOffset + begin, Math.floor((length - begin) / WORD_BYTES));
  // An iterator would make an object of each word.
  for (let index = 0; index < words.length; index++) {
    const word = words[index] ?? 0;
    // Subtracting borrows a high bit where a byte is below the space and has none itself.
    if (((word - SPACES) & ~word & HIGH_BITS) !== 0) return true;
  }
  return (
    holdsByteBelowSpace(bytes.subarray(0, begin)) ||
    holdsByteBelowSpace(bytes.subarray(begin + words.byteLength))
  );
}

function holdsByteBelowSpace(bytes: Uint8Array): boolean {
  return bytes.some((byte) => byte < SPACE);
}
