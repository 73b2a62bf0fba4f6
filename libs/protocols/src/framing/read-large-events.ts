import { joinInSlices } from '@mg/contract';
import { type JsonObject, isObject } from '../json.js';
import { readInRuns } from '../strict-json/read-in-runs.js';
import { SCAN_BYTES } from '../strict-json/scan-in-slices.js';
import { ANSWER_SHAPE, FLAT_BYTES, JsonShape } from './json-shape.js';
import { readEvents, type WireEvent } from './read-events.js';

/** Blocks of events over this size are read in steps. */
export const LARGE_BLOCK_BYTES = 64 * 1024;
/** Events over this size are looked at by themselves. */
const LARGE_EVENT_BYTES = 64 * 1024;
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;
const BLANK_LINES = ['\n\n', '\n\r\n', '\r\r'];
const LINE_ENDS = ['\n', '\r'];
/** Bytes that are searched in one step. */
const SEARCHED_BYTES = 2 * 1024 * 1024;
const DATA = Buffer.from('data:');
const EVENT = Buffer.from('event:');

/** An event of a large block: an ordinary one, or one whose data are too long to be read in one go. */
export interface LargeBlockEvent extends Pick<WireEvent, 'start' | 'end' | 'event'> {
  /** As text; `undefined` where there are none, or where they are long. */
  readonly data: string | undefined;
  /** Long data: their bytes, lines joined. */
  readonly bytes?: Buffer;
}

/**
 * Reads the events of a large block of whole events in steps, none of which takes long.
 *
 * @param pause is waited for between two steps.
 */
export async function* readLargeBlock(
  block: Buffer,
  pause: () => Promise<void>,
): AsyncGenerator<LargeBlockEvent> {
  let stepBytes = 0;
  for (let start = 0; start < block.length;) {
    const end = await findEnd(block, start, pause);
    const piece = block.subarray(start, end);
    if (piece.length > LARGE_EVENT_BYTES) {
      const { event, lines } = await findFields(piece, pause);
      if (lines.length === 0) yield { start, end, event, data: undefined };
      else yield { start, end, event, data: undefined, bytes: await joinLines(lines, pause) };
    } else {
      for (const small of readEvents(piece)) {
        yield { ...small, start: start + small.start, end: start + small.end };
      }
    }
    stepBytes += piece.length;
    start = end;
    if (stepBytes < LARGE_EVENT_BYTES) continue;
    stepBytes = 0;
    await pause();
  }
}

/** Parses long data in steps; strings over 16 MB, which no event of a chat has room for, come in pieces. @returns `undefined` for what is no JSON object, or is none that a provider writes. */
export async function parseLargeData(
  bytes: Buffer,
  pause: () => Promise<void>,
): Promise<{ readonly value: JsonObject; readonly exact: JsonObject } | undefined> {
  const shape = new JsonShape(ANSWER_SHAPE);
  for (let at = 0; at < bytes.length; at += SCAN_BYTES) {
    if (!shape.push(bytes.subarray(at, at + SCAN_BYTES))) return undefined;
    await pause();
  }
  try {
    const { value, exact } = await readInRuns(bytes, shape.end(), pause, FLAT_BYTES);
    return isObject(value) && isObject(exact) ? { value, exact } : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Offset just after the event, or the blank lines, that start here. */
async function findEnd(block: Buffer, start: number, pause: () => Promise<void>): Promise<number> {
  let at = start;
  while (isLineEnd(block[at])) at++;
  if (at > start) return at;
  const found = await findFirst(block, BLANK_LINES, start, pause);
  return found ? found.at + found.text.length : block.length;
}

/** The lines of an event's data, and its name. */
async function findFields(
  piece: Buffer,
  pause: () => Promise<void>,
): Promise<{ event: string | undefined; lines: readonly Buffer[] }> {
  const lines: Buffer[] = [];
  let event: string | undefined;
  for (let start = 0; start < piece.length;) {
    const end = (await findFirst(piece, LINE_ENDS, start, pause))?.at ?? piece.length;
    const line = piece.subarray(start, end);
    if (startsWith(line, DATA)) lines.push(takeValue(line, DATA));
    else if (startsWith(line, EVENT)) event = takeValue(line, EVENT).toString('utf8');
    start = end + 1;
  }
  return { event, lines };
}

/** The first of some short texts from an offset on. */
async function findFirst(
  bytes: Buffer,
  texts: readonly string[],
  start: number,
  pause: () => Promise<void>,
): Promise<{ at: number; text: string } | undefined> {
  for (let from = start; from < bytes.length; from += SEARCHED_BYTES) {
    if (from > start) await pause();
    // A text may stand across the end of the window.
    let window = bytes.subarray(from, from + SEARCHED_BYTES + 2);
    let first: { at: number; text: string } | undefined;
    for (const text of texts) {
      const at = window.indexOf(text);
      if (at < 0) continue;
      first = { at: from + at, text };
      window = window.subarray(0, at);
    }
    if (first) return first;
  }
  return undefined;
}

function startsWith(line: Buffer, field: Buffer): boolean {
  return line.subarray(0, field.length).equals(field);
}

function takeValue(line: Buffer, field: Buffer): Buffer {
  return line.subarray(line[field.length] === SPACE ? field.length + 1 : field.length);
}

async function joinLines(lines: readonly Buffer[], pause: () => Promise<void>): Promise<Buffer> {
  const [first] = lines;
  if (lines.length === 1 && first) return first;
  const end = Buffer.from([LF]);
  return joinInSlices(
    lines.flatMap((line, index) => (index === 0 ? [line] : [end, line])),
    pause,
  );
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === LF || byte === CR;
}
