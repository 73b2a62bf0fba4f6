const NEWLINE = 0x0a;
const BLANK = /^\s*$/;
/** A mark that some editors put before the first line. */
const BYTE_ORDER_MARK = /^\uFEFF/;

/** A line of a file: its number from 1 on, and its text; `undefined` where it is longer than may be. */
export interface FileLine {
  readonly number: number;
  readonly text: string | undefined;
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
    const text = bytes > maxBytes ? undefined : Buffer.concat(held).toString().replace(BYTE_ORDER_MARK, '');
    held = [];
    bytes = 0;
    return { number: number++, text };
  };
  for await (const piece of pieces) {
    let from = 0;
    for (let at = piece.indexOf(NEWLINE); at >= 0; at = piece.indexOf(NEWLINE, from)) {
      take(piece.subarray(from, at));
      from = at + 1;
      const line = end();
      if (line.text === undefined || !BLANK.test(line.text)) yield line;
    }
    take(piece.subarray(from));
  }
  const last = end();
  if (last.text === undefined || !BLANK.test(last.text)) yield last;
}
