import { describe, expect, it, vi } from 'vitest';
import { decodeInSlices, SLICE_BYTES } from './decode-strings.js';

const pause = () => Promise.resolve();

describe('M5: a long string is decoded slice after slice', () => {
  it.each(['é', '漢', '😀', 'x😀'])('of %s without escapes, too', async (piece) => {
    const text = piece.repeat(SLICE_BYTES);
    const body = Buffer.from(`"${text}"`);
    const decode = vi.spyOn(body, 'toString');
    const decoded = await decodeInSlices(body, { start: 0, end: body.length }, pause);
    expect(decoded === text).toBe(true);
    const longest = Math.max(...decode.mock.calls.map(([, start = 0, end = body.length]) => end - start));
    expect(longest).toBeLessThanOrEqual(SLICE_BYTES);
  });

  it('and a control character in a later slice is refused', async () => {
    const body = Buffer.from(`"${'漢'.repeat(SLICE_BYTES)}\n"`);
    const decoding = decodeInSlices(body, { start: 0, end: body.length }, pause);
    await expect(decoding).rejects.toThrow(SyntaxError);
  });
});
