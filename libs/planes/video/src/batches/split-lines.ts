import { setImmediate } from 'node:timers/promises';
import { joinInSlices } from '@mg/contract';

const NEWLINE = 0x0a;
const TAB = 0x09;
const RETURN = 0x0d;
const SPACE = 0x20;
/** A mark that some editors put before the first line. */
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** Lines that are looked at in one turn of the event loop: a small file may hold nothing but line breaks. */
const LINES_IN_A_TURN = 1_000;
/** Copied in one step. */
const SHORT_BYTES = 512 * 1024;

/** A line of a file: its number from 1 on, and its text; `undefined` where it is longer than may be. */
export interface FileLine {
  readonly number: number;
  readonly text: Buffer | undefined;
}

/** The lines of a file that hold something, as it is read. */
export async function* splitLines(pieces: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<FileLine> {
  let held: Buffer[] = [];
  let bytes = 0;
  let number = 1;
  /** Whether none of what is held holds anything: a line of megabytes is not looked at in one step. */
  let isHeldBlank = true;
  const take = (piece: Buffer) => {
    bytes += piece.length;
    if (bytes <= maxBytes) held.push(piece);
    isHeldBlank &&= isBlank(piece);
  };
  /** @returns `undefined` for a line that holds nothing. */
  const end = async (): Promise<FileLine | undefined> => {
    const pieces = held;
    const isTooLong = bytes > maxBytes;
    const isShort = bytes <= SHORT_BYTES;
    const isEmpty = isHeldBlank && !isTooLong;
    held = [];
    bytes = 0;
    isHeldBlank = true;
    const line = number++;
    if (isEmpty) return undefined;
    if (isTooLong) return { number: line, text: undefined };
    const joined = isShort ? Buffer.concat(pieces) : await joinInSlices(pieces, setImmediate);
    const text = withoutMark(joined);
    return text.length < joined.length && isShort && isBlank(text) ? undefined : { number: line, text };
  };
  for await (const piece of pieces) {
    let from = 0;
    for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, from)) {
      const bytesOfLine = piece.subarray(from, at);
      from = at + 1;
      if (number % LINES_IN_A_TURN === 0) await setImmediate();
      if (bytes === 0 && isBlank(bytesOfLine)) {
        number++;
        continue;
      }
      take(bytesOfLine);
      const line = await end();
      if (line) yield line;
    }
    take(piece.subarray(from));
  }
  const last = await end();
  if (last) yield last;
}

function withoutMark(text: Buffer): Buffer {
  const { length } = BYTE_ORDER_MARK;
  return text.subarray(0, length).equals(BYTE_ORDER_MARK) ? text.subarray(length) : text;
}

function isBlank(text: Buffer): boolean {
  for (let at = 0; at < text.length; at++) {
    const byte = text[at];
    if (byte !== SPACE && byte !== RETURN && byte !== TAB) return false;
  }
  return true;
}
