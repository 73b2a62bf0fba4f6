import { freeBuffer, joinInSlices, moveInSlices, toFlatString } from '@mg/contract';
import { findCut } from './find-cut.js';
import { type JoinedText, piecesOf } from './strict-json/joined-text.js';

/** What standard base64 (https://www.rfc-editor.org/rfc/rfc4648#section-4) has not: letters for URLs, and line breaks. */
const FOREIGN = ['-', '_', '\n', '\r', ' '];
/** Everything that is no digit of base64, in either alphabet. */
const NO_DIGITS = /[^A-Za-z0-9+/_-]+/g;
/** Bytes of a group, and the characters that they become. */
const GROUP_BYTES = 3;
const GROUP_CHARACTERS = 4;
/** Converted in one step, in well under two milliseconds: whole groups. */
const SLICE_BYTES = 128 * 1024 * GROUP_BYTES;
const SLICE_CHARACTERS = 128 * 1024 * GROUP_CHARACTERS;

type Pause = () => Promise<void>;

/**
 * Base64 as every provider reads it. Google's SDK for Python writes the letters for URLs, and some clients break lines or leave
 * out the padding, which strict decoders refuse. Megabytes that are as they should be are searched, not decoded.
 */
export function toStandardBase64(text: string): string {
  return isStandardBase64(text) ? text : Buffer.from(text, 'base64').toString('base64');
}

/** Whether base64 is as every provider reads it. */
export function isStandardBase64(text: string): boolean {
  if (text.length % GROUP_CHARACTERS !== 0) return false;
  // Slice by slice: each is read from memory once, however many characters are looked for.
  for (let at = 0; at < text.length; at += SLICE_CHARACTERS) {
    const slice = text.slice(at, at + SLICE_CHARACTERS);
    if (FOREIGN.some((character) => slice.includes(character))) return false;
  }
  return true;
}

/**
 * The bytes that base64 of either alphabet stands for, slice by slice, up to its padding: nothing behind that is read, as nothing
 * is where base64 is decoded in one step.
 *
 * @param pause is waited for between two of them.
 */
export async function* decodeSlices(base64: string | JoinedText, pause: Pause): AsyncGenerator<Buffer> {
  let rest = '';
  let isFirst = true;
  for (const slice of cutSlices(base64)) {
    if (!isFirst) await pause();
    isFirst = false;
    const padding = slice.indexOf('=');
    const digits = rest + (padding < 0 ? slice : slice.slice(0, padding)).replaceAll(NO_DIGITS, '');
    const whole = digits.length - (digits.length % GROUP_CHARACTERS);
    yield Buffer.from(digits.slice(0, whole), 'base64');
    rest = digits.slice(whole);
    if (padding >= 0) break;
  }
  if (rest !== '') yield Buffer.from(rest, 'base64');
}

function* cutSlices(base64: string | JoinedText): Generator<string> {
  for (const piece of piecesOf(base64)) {
    for (let at = 0; at < piece.length; at += SLICE_CHARACTERS) yield piece.slice(at, at + SLICE_CHARACTERS);
  }
}

/** The text that base64 stands for, as UTF-8, slice by slice. @param pause is waited for between two of them. */
export async function* decodeTextSlices(base64: string, pause: Pause): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  for await (const bytes of decodeSlices(base64, pause)) yield decoder.decode(bytes, { stream: true });
  yield decoder.decode();
}

/** A text slice by slice. @param pause is waited for between two of them. */
export async function* cutText(text: string, pause: Pause): AsyncGenerator<string> {
  for (let start = 0; start < text.length;) {
    if (start > 0) await pause();
    const end = findCut(text, start + SLICE_BYTES);
    yield text.slice(start, end);
    start = end;
  }
}

/** Bytes slice by slice. @param pause is waited for between two of them. */
export async function* cutBytes(bytes: Buffer, pause: Pause): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
    if (at > 0) await pause();
    yield bytes.subarray(at, at + SLICE_BYTES);
  }
}

/** Pieces of bytes, or of a text as UTF-8, as pieces of their base64. */
export async function encodePieces(pieces: AsyncIterable<Buffer | string>): Promise<readonly Buffer[]> {
  const encoded: Buffer[] = [];
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of pieces) {
    const bytes = Buffer.concat([rest, typeof piece === 'string' ? Buffer.from(piece) : piece]);
    const whole = bytes.length - (bytes.length % GROUP_BYTES);
    encoded.push(Buffer.from(bytes.toString('base64', 0, whole), 'latin1'));
    rest = bytes.subarray(whole);
  }
  encoded.push(Buffer.from(rest.toString('base64'), 'latin1'));
  return encoded;
}

/** The bytes that base64 of either alphabet stands for. @param pause is waited for between two steps. */
export async function decodeBase64InSlices(base64: string, pause: Pause): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const bytes of decodeSlices(base64, pause)) pieces.push(bytes);
  return joinInSlices(pieces, pause);
}

/**
 * Bytes as base64, in one flat string.
 *
 * @param pause is waited for between two steps.
 * @param before is ASCII that stands before it in the same string: one that is put before it later is copied with all of it.
 */
export async function encodeBase64InSlices(bytes: Buffer, pause: Pause, before = ''): Promise<string> {
  const encoded = await encodePieces(cutBytes(bytes, pause));
  const whole = await moveInSlices([Buffer.from(before, 'latin1'), ...encoded], pause);
  const text = await toFlatString(whole, 'latin1', pause);
  freeBuffer(whole);
  return text;
}
