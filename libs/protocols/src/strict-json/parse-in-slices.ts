import { randomUUID } from 'node:crypto';
import { refuseField } from '../canonical/refuse.js';
import { isObject, type JsonObject, parseJson } from '../json.js';
import type { StringSpan } from './json-scanner.js';
import { rememberParsed } from './parsed-bodies.js';

/** Bytes of strings that are decoded in one step: up to ten milliseconds where all of them are escapes. */
const SLICE_BYTES = 256 * 1024;
const BACKSLASH = 0x5c;
const LOWER_U = 0x75;
/**
 * Parses a large body in steps, none of which takes long: its long strings are decoded by themselves, slice after slice, and
 * `JSON.parse` reads what is left, which the scanner's limits keep small. The outcome is remembered for whoever parses the
 * body afterwards.
 *
 * @param longStrings as the scanner found them.
 * @param pause is waited for between two steps.
 * @throws GatewayError `invalid_request` when the body is no JSON object.
 */
export async function parseInSlices(
  body: Buffer,
  longStrings: readonly StringSpan[],
  pause: () => Promise<void>,
): Promise<void> {
  // No client can write a string that is taken for a mark.
  const mark = randomUUID();
  const texts: string[] = [];
  const rest: string[] = [];
  let at = 0;
  let decoded = 0;
  for (const { start, end } of longStrings) {
    rest.push(body.toString('utf8', at, start), JSON.stringify(mark + texts.length));
    if (end - start > SLICE_BYTES) texts.push(await decodeLong(body, start + 1, end - 1, pause));
    else texts.push(decodeString(body, start + 1, end - 1));
    at = end;
    decoded += end - start;
    if (decoded < SLICE_BYTES) continue;
    decoded = 0;
    await pause();
  }
  rest.push(body.toString('utf8', at));
  await pause();
  const text = rest.join('');
  const parse = (read: (text: string) => unknown) => {
    const value = fillIn(parseOrRefuse(read, text), mark, texts);
    return isObject(value) ? value : refuseField('body', 'must be a JSON object');
  };
  const value = parse((text) => JSON.parse(text));
  let exact: JsonObject | undefined;
  rememberParsed(body, { value, exact: () => (exact ??= parse(parseJson)) });
  await pause();
}

async function decodeLong(
  body: Buffer,
  from: number,
  to: number,
  pause: () => Promise<void>,
): Promise<string> {
  let text = '';
  for (let start = from; start < to;) {
    const end = findCut(body, start, to);
    text += decodeString(body, start, end);
    start = end;
    await pause();
  }
  return text;
}

/** @param from just after the string's quote, or where the slice before it ended. */
function decodeString(body: Buffer, from: number, to: number): string {
  return parseOrRefuse((text) => JSON.parse(text), `"${body.toString('utf8', from, to)}"`) as string;
}

/** Where a slice may end: not within a character, nor within an escape. */
function findCut(body: Buffer, start: number, to: number): number {
  if (to - start <= SLICE_BYTES) return to;
  let end = start + SLICE_BYTES;
  while (((body[end] ?? 0) & 0xc0) === 0x80) end--;
  const slice = body.subarray(start, end);
  for (let at = slice.indexOf(BACKSLASH); at >= 0;) {
    const next = at + (slice[at + 1] === LOWER_U ? 6 : 2);
    if (next > slice.length) return start + at;
    at = slice.indexOf(BACKSLASH, next);
  }
  return end;
}

function parseOrRefuse(read: (text: string) => unknown, text: string): unknown {
  try {
    return read(text);
  } catch {
    return refuseField('body', 'is not valid JSON');
  }
}

/** Puts the long strings where their marks stand. Changes `value` itself, which nobody else has seen yet. */
function fillIn(value: unknown, mark: string, texts: readonly string[]): unknown {
  if (texts.length === 0) return value;
  if (typeof value === 'string') {
    return value.startsWith(mark) ? (texts[Number(value.slice(mark.length))] ?? value) : value;
  }
  if (Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      const item: unknown = value[index];
      if (isNested(item)) value[index] = fillIn(item, mark, texts);
    }
  } else if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      if (isNested(item)) value[name] = fillIn(item, mark, texts);
    }
  }
  return value;
}

function isNested(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null);
}
