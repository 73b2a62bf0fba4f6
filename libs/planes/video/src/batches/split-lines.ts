import { setImmediate } from 'node:timers/promises';

const NEWLINE = 0x0a;
const BLANKS: ReadonlySet<number | undefined> = new Set([0x09, 0x0d, 0x20]);
/** A mark that some editors put before the first line. */
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** Lines that are looked at in one turn of the event loop: a small file may hold nothing but line breaks. */
const LINES_IN_A_TURN = 1_000;

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
  const take = (piece: Buffer) => {
    bytes += piece.length;
    if (bytes <= maxBytes) held.push(piece);
  };
  const end = (): FileLine => {
    const text = bytes > maxBytes ? undefined : withoutMark(Buffer.concat(held));
    held = [];
    bytes = 0;
    return { number: number++, text };
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
      const line = end();
      if (line.text === undefined || !isBlank(line.text)) yield line;
    }
    take(piece.subarray(from));
  }
  const last = end();
  if (last.text === undefined || !isBlank(last.text)) yield last;
}

function withoutMark(text: Buffer): Buffer {
  const { length } = BYTE_ORDER_MARK;
  return text.subarray(0, length).equals(BYTE_ORDER_MARK) ? text.subarray(length) : text;
}

function isBlank(text: Buffer): boolean {
  let at = 0;
  while (BLANKS.has(text[at])) at++;
  return at === text.length;
}
