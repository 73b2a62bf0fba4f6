import { expect, it } from 'vitest';
import { GatheredBytes } from './gathered-bytes.js';

it.each([
  ['nothing', 0, 1],
  ['one piece', 10, 10],
  ['small pieces', 100_000, 60_000],
  ['many pieces', 3_500_000, 65_536],
  ['pieces that fill blocks', 4 * 1024 * 1024, 512 * 1024],
  ['one large piece', 2_500_000, 2_500_000],
])('M5: a body is the same in one piece: %s', async (_, length, chunkBytes) => {
  const body = Buffer.from(Array.from({ length }, (_item, index) => index % 251));
  const gathered = new GatheredBytes();
  for (let at = 0; at < length; at += chunkBytes)
    gathered.add(Buffer.from(body.subarray(at, at + chunkBytes)));
  expect(gathered.length).toBe(length);
  expect((await gathered.join()).equals(body)).toBe(true);
});

it('M5: pieces of a large body are copied together, and forgotten on demand', async () => {
  const gathered = new GatheredBytes();
  for (let piece = 0; piece < 40; piece++) {
    const chunk = Buffer.alloc(64 * 1024, piece);
    gathered.add(chunk);
    chunk.fill(255);
  }
  expect((await gathered.join()).at(-1)).toBe(39);
  gathered.clear();
  expect(gathered.length).toBe(0);
});

it('T25: pieces of a large body are freed once they are copied, and not left to the garbage collector', async () => {
  const gathered = new GatheredBytes();
  const pieces = Array.from({ length: 16 }, (_, index) => Buffer.alloc(64 * 1024, index));
  for (const piece of pieces) gathered.add(piece);
  await new Promise((resolve) => setImmediate(resolve));
  expect(pieces.map(({ length }) => length)).toEqual(pieces.map(() => 0));
  expect((await gathered.join()).at(-1)).toBe(15);
});
