import { isAscii } from 'node:buffer';
import { freeBuffer, toFlatString } from '@mg/contract';
import { unescapeBytes } from './escapes.js';
import { GatheredText } from './gathered-text.js';
import { holdsControlCharacter } from './holds-control-character.js';
import type { JoinedText } from './joined-text.js';
import type { ByteSpan } from './json-outline.js';
import { type MakeText, toText } from './to-text.js';

/** Bytes of strings that are decoded in one step: up to ten milliseconds where all of them are escapes. */
export const SLICE_BYTES = 256 * 1024;
/** Bytes that are looked at in one step: well under a millisecond. */
const ASCII_BYTES = 512 * 1024;
/** Bytes that are searched in one step. */
const SEARCHED_BYTES = 4 * 1024 * 1024;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
/** As long as `\\u00e9`, the longest escape. */
const ESCAPE_BYTES = 6;

/**
 * Decodes a string of a JSON text, a long one in steps.
 *
 * @param span with its quotes.
 * @param pause is waited for between two steps.
 * @param flatBytes a longer text comes in pieces.
 * @throws SyntaxError
 */
export async function decodeInSlices(
  body: Buffer,
  { start, end }: ByteSpan,
  pause: () => Promise<void>,
  flatBytes: number,
): Promise<string | JoinedText> {
  const span = { start: start + 1, end: end - 1 };
  const make: MakeText<string | JoinedText> = (bytes, encoding) => toText(bytes, encoding, pause, flatBytes);
  return (await holdsEscape(body, span, pause))
    ? gatherSlices(body, span, { add: addEscaped, pause, make })
    : decodePlain(body, span, pause, make);
}

/**
 * The text of JSON that was written here, a long one in steps.
 *
 * @param pause is waited for between two steps.
 */
export async function decodeWritten(json: Buffer, pause: () => Promise<void>): Promise<string> {
  if (json.length <= SLICE_BYTES) return json.toString('utf8');
  return decodePlain(json, { start: 0, end: json.length }, pause, (bytes, encoding) =>
    toFlatString(bytes, encoding, pause),
  );
}

/**
 * Without escapes, the text is what the bytes say: ASCII is copied without being looked at again, and UTF-8 is decoded slice
 * after slice before, which takes as long again.
 */
async function decodePlain<Text>(
  body: Buffer,
  span: ByteSpan,
  pause: () => Promise<void>,
  make: MakeText<Text>,
): Promise<Text> {
  const { start, end } = span;
  if (!(await isAsciiInSlices(body, start, end, pause))) {
    return gatherSlices(body, span, { add: addBytes, pause, make });
  }
  return make(body.subarray(start, end), 'latin1');
}

async function holdsEscape(
  body: Buffer,
  { start, end }: ByteSpan,
  pause: () => Promise<void>,
): Promise<boolean> {
  for (let at = start; at < end; at += SEARCHED_BYTES) {
    if (at > start) await pause();
    if (body.subarray(at, Math.min(at + SEARCHED_BYTES, end)).includes(BACKSLASH)) return true;
  }
  return false;
}

/** @throws SyntaxError */
function addBytes(gathered: GatheredText, body: Buffer, { start, end }: ByteSpan): Promise<void> {
  const bytes = body.subarray(start, end);
  if (holdsControlCharacter(bytes)) throw refuseControlCharacter();
  return gathered.addUtf8(bytes);
}

/** @throws SyntaxError where it holds a control character. */
async function isAsciiInSlices(
  body: Buffer,
  from: number,
  to: number,
  pause: () => Promise<void>,
): Promise<boolean> {
  for (let at = from; at < to; at += ASCII_BYTES) {
    const bytes = body.subarray(at, Math.min(at + ASCII_BYTES, to));
    if (!isAscii(bytes)) return false;
    if (holdsControlCharacter(bytes)) throw refuseControlCharacter();
    if (to - from > ASCII_BYTES) await pause();
  }
  return true;
}

interface Gathering<Text> {
  /** Adds one slice, without quotes around it. */
  readonly add: (gathered: GatheredText, body: Buffer, slice: ByteSpan) => Promise<void>;
  readonly pause: () => Promise<void>;
  readonly make: MakeText<Text>;
}

async function gatherSlices<Text>(
  body: Buffer,
  { start, end }: ByteSpan,
  { add, pause, make }: Gathering<Text>,
): Promise<Text> {
  const gathered = new GatheredText(end - start, pause);
  for (let from = start; from < end;) {
    const to = findCut(body, from, end);
    await add(gathered, body, { start: from, end: to });
    from = to;
    if (from < end) await pause();
  }
  // Joined in a step of its own.
  if (end - start > SLICE_BYTES) await pause();
  return gathered.join(make);
}

/** @throws SyntaxError */
async function addEscaped(gathered: GatheredText, body: Buffer, { start, end }: ByteSpan): Promise<void> {
  const bytes = body.subarray(start, end);
  if (holdsControlCharacter(bytes)) throw refuseControlCharacter();
  const text = Buffer.allocUnsafeSlow(bytes.length);
  const length = unescapeBytes(bytes, text);
  if (length >= 0) await gathered.addUtf8(text.subarray(0, length));
  // Half of a character, which may be that of a pair that is cut here; or an error, which JSON.parse describes.
  else await gathered.add(decodeString(body, { start: start - 1, end: end + 1 }));
  freeBuffer(text);
}

/** @throws SyntaxError */
export function decodeString(body: Buffer, { start, end }: ByteSpan): string {
  return JSON.parse(`"${body.toString('utf8', start + 1, end - 1)}"`) as string;
}

function refuseControlCharacter(): SyntaxError {
  return new SyntaxError('A string holds a control character.');
}

/** Where a slice may end: not within a character, nor within an escape. */
function findCut(body: Buffer, start: number, to: number): number {
  if (to - start <= SLICE_BYTES) return to;
  let end = start + SLICE_BYTES;
  // A character has at most three bytes after its first; an upstream's bytes may be no UTF-8.
  for (let back = 0; back < 3 && ((body[end] ?? 0) & 0xc0) === 0x80; back++) end--;
  for (let back = 1; back < ESCAPE_BYTES; back++) {
    if (back > 1 && body[end - back + 1] !== LOWER_U) continue;
    if (isEscape(body, start, end - back)) return end - back;
  }
  return end;
}

/** Whether a backslash escapes what follows it, and is not itself escaped by the one before. */
function isEscape(body: Buffer, start: number, at: number): boolean {
  let from = at;
  while (from >= start && body[from] === BACKSLASH) from--;
  return (at - from) % 2 === 1;
}
