import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { findCodec } from '../chat/chat-protocols.js';
import { measureCpuMs } from '../testing/cpu-time.js';
import { TextOffsets } from './text-offsets.js';

const texts = fc.array(
  fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('a'.repeat(1_500), 'é漢😀'.repeat(700), '😀')),
  { maxLength: 4 },
);

it('places of a text that grows are those of the whole', () => {
  fc.assert(
    fc.property(texts, fc.nat(6_000), fc.nat(6_000), (pieces, point, byte) => {
      const offsets = new TextOffsets();
      for (const piece of pieces) {
        offsets.add(piece);
        offsets.placeOfPoint(point);
      }
      const text = pieces.join('');
      const points = [...text];
      const before = points.slice(0, point).join('');
      expect(offsets.placeOfPoint(point)).toEqual({
        characters: before.length,
        points: Math.min(point, points.length),
        bytes: Buffer.byteLength(before),
      });
      expect(offsets.end.points).toBe(points.length);
      const begun = Buffer.from(text)
        .subarray(0, byte)
        .filter((one) => (one & 0xc0) !== 0x80);
      expect(offsets.pointsInBytes(byte)).toBe(begun.length);
    }),
    { numRuns: 60 },
  );
});

/** Of an answer with one citation, what one with hundreds may take: it was 300 times as long, and is 5. */
const MOST_TIMES = 30;
const CITATIONS = 400;
const LEAST_MS = 4;

it('M5: what a citation costs does not grow with the text that it stands in', () => {
  const cite = (count: number) => {
    const text = 'é'.repeat(300_000);
    const groundingSupports = Array.from({ length: count }, (_, at) => ({
      segment: { startIndex: at, endIndex: 2 * text.length - at },
      groundingChunkIndices: [0],
    }));
    const groundingMetadata = { groundingChunks: [{ web: { uri: 'https://a.b' } }], groundingSupports };
    const candidates = [{ content: { parts: [{ text }] }, groundingMetadata }];
    const reply = findCodec('gemini-generate').decodeReply({ candidates });
    for (const to of ['gemini-generate', 'openai-responses'] as const) {
      findCodec(to).encodeReply(reply, { model: 'm', includeUsage: true });
    }
  };
  const one = measureCpuMs(() => cite(1));
  const many = measureCpuMs(() => cite(CITATIONS));
  expect(many).toBeLessThan(MOST_TIMES * Math.max(one, LEAST_MS));
});

it('thousands of places are looked for among few characters each', () => {
  const read = vi.spyOn(String.prototype, 'charCodeAt');
  const copied = vi.spyOn(String.prototype, 'slice');
  const count = (text: string, find: (offsets: TextOffsets, at: number) => void): number => {
    const offsets = new TextOffsets(text);
    expect(offsets.end.characters).toBe(text.length);
    read.mockClear();
    for (let at = 0; at < 1_000; at++) find(offsets, at);
    return read.mock.calls.length / 1_000;
  };
  // Each half of a character is looked at.
  for (const text of ['a'.repeat(40_000), '漢'.repeat(40_000), '😀'.repeat(20_000)]) {
    expect(count(text, (offsets, at) => offsets.placeOfPoint(at * 20))).toBeLessThanOrEqual(64);
    expect(count(text, (offsets, at) => offsets.pointsInBytes(at * 40))).toBeLessThanOrEqual(64);
  }
  // A piece that is copied to be counted takes several times as long.
  expect(copied).not.toHaveBeenCalled();
  read.mockRestore();
  copied.mockRestore();
});
