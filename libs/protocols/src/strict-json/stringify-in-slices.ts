import { randomUUID } from 'node:crypto';
import { isObject } from '../json.js';

/** Characters of a string that are written in one step. */
const SLICE_CHARACTERS = 128 * 1024;
/** Strings from this length on are written apart from the rest. */
const LONG_STRING_CHARACTERS = 8 * 1024;
const COPY_BYTES = 2 * 1024 * 1024;

/**
 * Writes a value as JSON in steps, none of which takes long: its long strings slice after slice, the rest at once.
 *
 * @param pause is waited for between two steps.
 */
export async function stringifyInSlices(value: unknown, pause: () => Promise<void>): Promise<Buffer> {
  // No client can write a string that is taken for a mark.
  const mark = randomUUID();
  const texts: string[] = [];
  const pieces: Buffer[] = [];
  const rest = JSON.stringify(lift(value, mark, texts));
  let written = 0;
  for (const [index, part] of rest.split(`"${mark}"`).entries()) {
    const text = index > 0 ? texts[index - 1] : undefined;
    if (text !== undefined) await writeString(text, pieces, pause);
    pieces.push(Buffer.from(part));
    written += text?.length ?? 0;
    if (written < SLICE_CHARACTERS) continue;
    written = 0;
    await pause();
  }
  return joinInSlices(pieces, pause);
}

/** Joins pieces into one buffer in steps, none of which takes long. */
export async function joinInSlices(pieces: readonly Buffer[], pause: () => Promise<void>): Promise<Buffer> {
  const whole = Buffer.allocUnsafeSlow(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  let copied = 0;
  for (const piece of pieces) {
    at += piece.copy(whole, at);
    copied += piece.length;
    if (copied < COPY_BYTES) continue;
    copied = 0;
    await pause();
  }
  return whole;
}

/** The value with a mark in place of each of its long strings, which are noted in the order of their marks. */
function lift(value: unknown, mark: string, texts: string[]): unknown {
  if (typeof value === 'string') {
    if (value.length < LONG_STRING_CHARACTERS) return value;
    texts.push(value);
    return mark;
  }
  if (Array.isArray(value)) return value.map((item: unknown) => lift(item, mark, texts));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, lift(item, mark, texts)]));
}

async function writeString(text: string, pieces: Buffer[], pause: () => Promise<void>): Promise<void> {
  pieces.push(Buffer.from('"'));
  for (let start = 0; start < text.length;) {
    const end = findCut(text, start);
    pieces.push(Buffer.from(JSON.stringify(text.slice(start, end)).slice(1, -1)));
    start = end;
    if (start < text.length) await pause();
  }
  pieces.push(Buffer.from('"'));
}

/** Not between the two halves of a character. */
function findCut(text: string, start: number): number {
  const end = start + SLICE_CHARACTERS;
  if (end >= text.length) return text.length;
  return (text.charCodeAt(end - 1) & 0xfc00) === 0xd800 ? end - 1 : end;
}
