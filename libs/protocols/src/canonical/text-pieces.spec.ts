import { describe, expect, it } from 'vitest';
import { joinPieces, readPiecesInSlices, type TextPieces } from './text-pieces.js';

/** About what is taken in one step. */
const STEP = 512 * 1024;
const LONGEST_SLICE = 64 * 1024;

/** A text as it is read in steps. */
async function read(pieces: TextPieces) {
  const slices: string[] = [];
  let pauses = 0;
  await readPiecesInSlices(
    pieces,
    (slice) => slices.push(slice),
    async () => void pauses++,
  );
  return { text: slices.join(''), longest: Math.max(...slices.map(({ length }) => length)), pauses };
}

const LONG: readonly (readonly [string, TextPieces])[] = [
  ['letters', ['a'.repeat(2 * STEP)]],
  ['characters of two units, which are not cut', [`a${'😀'.repeat(STEP)}`]],
  ['arguments', [{ rows: Array.from({ length: STEP / 12 }, (_, at) => ({ at, 名: '漢' })) }]],
  ['long text in arguments', ['f', { text: `"${'é\n'.repeat(STEP / 2)}` }]],
  ['short pieces', Array.from({ length: 30_000 }, (_, at) => (at % 2 === 0 ? 'a' : { at }))],
];

describe('M5: a text in pieces is read in steps', () => {
  it.each(LONG)('of %s', async (_, pieces) => {
    const { text, longest, pauses } = await read(pieces);
    expect(text === joinPieces(pieces)).toBe(true);
    expect(longest).toBeLessThanOrEqual(LONGEST_SLICE);
    expect(pauses).toBeGreaterThanOrEqual(2);
  });

  it('also where most pieces are empty', async () => {
    const { pauses } = await read(Array.from({ length: 100_000 }, () => ''));
    expect(pauses).toBeGreaterThan(10);
  });

  it('and a short one in one', async () => {
    expect(await read(['f', { a: 1 }, ''])).toMatchObject({ text: 'f{"a":1}', pauses: 0 });
  });
});
