import { describe, expect, it, vi } from 'vitest';
import { decodeInSlices, decodeWritten, SLICE_BYTES } from './decode-strings.js';
import { piecesOf } from './joined-text.js';

const MEBIBYTE = 1024 * 1024;
const pause = () => Promise.resolve();

it.each(['x', 'é', '漢', '\\"😀'])(
  'M5: JSON of %s that was written becomes a text in slices',
  async (piece) => {
    const text = JSON.stringify({ a: piece.repeat(3 * SLICE_BYTES), b: [piece] });
    const json = Buffer.from(text);
    const decode = vi.spyOn(json, 'toString');
    let pauses = 0;
    expect((await decodeWritten(json, async () => void pauses++)) === text).toBe(true);
    expect(decode).not.toHaveBeenCalled();
    expect(pauses).toBeGreaterThanOrEqual(1);
  },
);

describe('M5: a long string is decoded slice after slice', () => {
  it.each(['é', '漢', '😀', 'x😀'])('of %s without escapes, too', async (piece) => {
    const text = piece.repeat(SLICE_BYTES);
    const body = Buffer.from(`"${text}"`);
    const decode = vi.spyOn(body, 'toString');
    const decoded = await decodeInSlices(body, { start: 0, end: body.length }, pause, Infinity);
    expect(decoded === text).toBe(true);
    const longest = Math.max(...decode.mock.calls.map(([, start = 0, end = body.length]) => end - start));
    expect(longest).toBeLessThanOrEqual(SLICE_BYTES);
  });

  it('and so is what comes before the first letter that takes more memory than the others', async () => {
    const text = `${'aé'.repeat(4 * SLICE_BYTES)}漢`;
    const body = Buffer.from(`"${text}"`);
    const countPauses = async (span: string) => {
      let pauses = 0;
      const bytes = Buffer.from(span);
      expect(
        await decodeInSlices(bytes, { start: 0, end: bytes.length }, async () => void pauses++, Infinity),
      ).toHaveLength(span.length - 2);
      return pauses;
    };
    const more = (await countPauses(body.toString())) - (await countPauses(`"${text.slice(0, -1)}"`));
    expect(more).toBeGreaterThanOrEqual((2 * 4 * SLICE_BYTES) / SLICE_BYTES - 1);
  });

  it('and bytes that are no UTF-8 become replacement characters, as everywhere', async () => {
    const text = '漢'.repeat(SLICE_BYTES);
    const body = Buffer.concat([
      Buffer.from(`"${text}`),
      Buffer.from([0xff, 0xe6, 0xbc]),
      Buffer.from(`${text}"`),
    ]);
    const decoded = await decodeInSlices(body, { start: 0, end: body.length }, pause, Infinity);
    expect(decoded === body.toString().slice(1, -1)).toBe(true);
  });

  it('and a control character in a later slice is refused', async () => {
    const body = Buffer.from(`"${'漢'.repeat(SLICE_BYTES)}\n"`);
    const decoding = decodeInSlices(body, { start: 0, end: body.length }, pause, Infinity);
    await expect(decoding).rejects.toThrow(SyntaxError);
  });

  it.each(['x', '\\/', '漢', '😀'])(
    'and comes in pieces where it is longer than asked for: of %s',
    async (piece) => {
      const written = piece.repeat((9 * MEBIBYTE) / piece.length);
      const body = Buffer.from(`"${written}"`);
      const text: string = JSON.parse(body.toString());
      const read = (flatBytes: number) =>
        decodeInSlices(body, { start: 0, end: body.length }, pause, flatBytes);
      expect((await read(64 * MEBIBYTE)) === text).toBe(true);
      const inPieces = piecesOf(await read(4 * MEBIBYTE));
      expect(inPieces.join('') === text).toBe(true);
      expect(inPieces.length).toBeGreaterThan(1);
      expect(Math.max(...inPieces.map(({ length }) => length))).toBeLessThanOrEqual(4 * MEBIBYTE);
    },
  );
});
