const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const SLASH = 0x2f;
const SPACE = 0x20;
const ZERO = 0x30;
const LOWER_U = 0x75;
/** Bytes of an escape such as `\\u00e9`. */
const LONG_ESCAPE_BYTES = 6;
/** The first half of a character beyond 16 bits, and the second. */
const HIGH = 0xd800;
const LOW = 0xdc00;
const AFTER_LOW = 0xe000;

/** By the letter of a short escape: the byte that it stands for; 0 where there is no such escape. */
const UNESCAPED = new Uint8Array(256);
/** By byte: the letter of its short escape; 0 where it has none. */
const LETTERS = new Uint8Array(256);
for (const [letter, byte] of [
  ['b', 0x08],
  ['t', 0x09],
  ['n', 0x0a],
  ['f', 0x0c],
  ['r', 0x0d],
  ['"', QUOTE],
  ['\\', BACKSLASH],
] as const) {
  UNESCAPED[letter.charCodeAt(0)] = byte;
  LETTERS[byte] = letter.charCodeAt(0);
}
UNESCAPED[SLASH] = SLASH;

/** Values of hexadecimal digits; -1 for everything else. */
const HEX = new Int8Array(256).fill(-1);
for (let digit = 0; digit < 16; digit++) {
  const letter = digit.toString(16);
  HEX[letter.charCodeAt(0)] = digit;
  HEX[letter.toUpperCase().charCodeAt(0)] = digit;
}
const DIGITS = Buffer.from('0123456789abcdef');

/**
 * What stands between the quotes of a JSON string, in UTF-8, with its escapes replaced. V8's heap gets no string of it.
 *
 * @param text where it is written; as long as `bytes` at least.
 * @returns how long it is; -1 for what UTF-8 cannot hold, half of a surrogate pair, and for what is no escape.
 */
export function unescapeBytes(bytes: Buffer, text: Buffer): number {
  let used = 0;
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] ?? 0;
    if (byte !== BACKSLASH) {
      text[used++] = byte;
      at++;
    } else if (bytes[at + 1] === LOWER_U) {
      const code = readCodePoint(bytes, at);
      if (code < 0) return -1;
      used = writeCodePoint(text, used, code);
      at += code > 0xffff ? 2 * LONG_ESCAPE_BYTES : LONG_ESCAPE_BYTES;
    } else {
      const unescaped = UNESCAPED[bytes[at + 1] ?? 0] ?? 0;
      if (unescaped === 0) return -1;
      text[used++] = unescaped;
      at += 2;
    }
  }
  return used;
}

/** Of one escape, or of the two of a surrogate pair. @returns -1 for half of a pair, and for what is no escape. */
function readCodePoint(bytes: Buffer, at: number): number {
  const unit = readUnit(bytes, at);
  if (unit < HIGH || unit >= AFTER_LOW) return unit;
  const second = at + LONG_ESCAPE_BYTES;
  if (unit >= LOW || bytes[second] !== BACKSLASH || bytes[second + 1] !== LOWER_U) return -1;
  const low = readUnit(bytes, second);
  return low >= LOW && low < AFTER_LOW ? 0x10000 + ((unit - HIGH) << 10) + (low - LOW) : -1;
}

function readUnit(bytes: Buffer, at: number): number {
  let unit = 0;
  for (let place = at + 2; place < at + LONG_ESCAPE_BYTES; place++) {
    const digit = HEX[bytes[place] ?? 0] ?? -1;
    if (digit < 0) return -1;
    unit = (unit << 4) | digit;
  }
  return unit;
}

/** In UTF-8, which never takes more bytes than the escape. @returns where the next one is written. */
function writeCodePoint(text: Buffer, at: number, code: number): number {
  if (code < 0x80) {
    text[at] = code;
    return at + 1;
  }
  const more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  text[at] = ((0xff << (7 - more)) & 0xff) | (code >> (6 * more));
  for (let left = more - 1; left >= 0; left--) text[at + more - left] = 0x80 | ((code >> (6 * left)) & 0x3f);
  return at + more + 1;
}

/** What `JSON.stringify` writes between the quotes of a text, which is in UTF-8, as is what comes out. */
export function escapeBytes(text: Buffer): Buffer {
  let length = text.length;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] ?? 0;
    if (LETTERS[byte] !== 0) length++;
    else if (byte < SPACE) length += LONG_ESCAPE_BYTES - 1;
  }
  const bytes = Buffer.allocUnsafeSlow(length);
  let used = 0;
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] ?? 0;
    const letter = LETTERS[byte] ?? 0;
    if (letter !== 0) {
      bytes[used++] = BACKSLASH;
      bytes[used++] = letter;
    } else if (byte < SPACE) {
      bytes[used++] = BACKSLASH;
      bytes[used++] = LOWER_U;
      bytes[used++] = ZERO;
      bytes[used++] = ZERO;
      bytes[used++] = DIGITS[byte >> 4] ?? 0;
      bytes[used++] = DIGITS[byte & 0xf] ?? 0;
    } else bytes[used++] = byte;
  }
  return bytes;
}
