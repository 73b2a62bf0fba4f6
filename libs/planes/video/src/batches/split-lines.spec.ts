import { expect, it, vi } from 'vitest';
import { splitLines } from './split-lines.js';

async function split(
  text: string,
  pieceBytes: number,
  maxBytes = 100,
): Promise<{ number: number; text: string | undefined }[]> {
  async function* read() {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
  }
  const lines: { number: number; text: string | undefined }[] = [];
  for await (const { number, text: bytes } of splitLines(read(), maxBytes)) {
    lines.push({ number, text: bytes?.toString() });
  }
  return lines;
}

it.each([1, 2, 3, 100])('lines are the same however a file is cut: by %d bytes', async (pieceBytes) => {
  expect(await split('\uFEFF{"ä":1}\n\n{"b":2}\r\n  \n{"c":3}', pieceBytes)).toEqual([
    { number: 1, text: '{"ä":1}' },
    { number: 3, text: '{"b":2}\r' },
    { number: 5, text: '{"c":3}' },
  ]);
});

it('a line that is too long is told by its number', async () => {
  expect(await split(`${'x'.repeat(11)}\nshort\n`, 4, 10)).toEqual([
    { number: 1, text: undefined },
    { number: 2, text: 'short' },
  ]);
});

it('an empty file has none', async () => {
  expect(await split('', 1)).toEqual([]);
  expect(await split('\n \n', 1)).toEqual([]);
});

it('M5: a line of megabytes is not joined in one step, and one of nothing but blanks not at all', async () => {
  const join = vi.spyOn(Buffer, 'concat');
  const long = 'x'.repeat(4 * 1024 * 1024);
  const blank = ' '.repeat(long.length);
  expect(await split(`${blank}\n${long}\n{}`, 64 * 1024, long.length)).toEqual([
    { number: 2, text: long },
    { number: 3, text: '{}' },
  ]);
  const joined = join.mock.calls.map(([pieces]) => pieces.reduce((sum, { length }) => sum + length, 0));
  join.mockRestore();
  expect(Math.max(...joined)).toBeLessThanOrEqual(512 * 1024);
});

it('M5: a file of nothing but line breaks is read in many turns of the event loop', async () => {
  let turns = 0;
  const count = () => {
    turns++;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  expect(await split('\n'.repeat(128 * 1024), 128 * 1024)).toEqual([]);
  clearImmediate(timer);
  expect(turns).toBeGreaterThan(100);
});
