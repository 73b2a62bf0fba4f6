import { expect, it } from 'vitest';
import { freeBuffer, joinInSlices, moveInSlices } from './join-in-slices.js';

const LARGE_BYTES = 700 * 1024;
const pause = () => Promise.resolve();

it('joins pieces and leaves them as they are', async () => {
  const pieces = [Buffer.alloc(LARGE_BYTES, 1), Buffer.from('small'), Buffer.alloc(LARGE_BYTES, 2)];
  expect((await joinInSlices(pieces, pause)).equals(Buffer.concat(pieces))).toBe(true);
  expect(pieces.map(({ length }) => length)).toEqual([LARGE_BYTES, 5, LARGE_BYTES]);
});

it('frees the pieces that it moves, one after another', async () => {
  const pieces = [Buffer.alloc(LARGE_BYTES, 1), Buffer.alloc(LARGE_BYTES, 2)];
  const expected = Buffer.concat(pieces);
  const lengths: number[][] = [];
  const moved = await moveInSlices(pieces, async () => void lengths.push(pieces.map(({ length }) => length)));
  expect(moved.equals(expected)).toBe(true);
  expect(lengths[0]).toEqual([LARGE_BYTES, LARGE_BYTES]);
  expect(lengths.at(-1)?.[0]).toBe(0);
  expect(pieces.map(({ length }) => length)).toEqual([0, 0]);
  for (const piece of pieces) freeBuffer(piece);
});

it('frees no memory that others have a part of', () => {
  const shared = Buffer.alloc(LARGE_BYTES, 1);
  freeBuffer(shared.subarray(1));
  const pooled = Buffer.from('from the pool of Node');
  freeBuffer(pooled);
  expect([shared.length, pooled.toString()]).toEqual([LARGE_BYTES, 'from the pool of Node']);
});
