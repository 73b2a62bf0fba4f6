import { describe, expect, it, vi } from 'vitest';
import { readOpenAiEmbeddings } from '../embeddings/read-embeddings.js';
import { readModeration } from '../moderation/read-moderation.js';
import { readRerank } from '../rerank/read-rerank.js';
import { readSpeech } from '../audio/read-speech.js';
import { boundBytes } from './bound-bytes.js';
import type { Exchange } from './exchange.js';

const MEBIBYTE = 1024 * 1024;
const LONG = '\u{1F600}'.repeat(MEBIBYTE / 2);

const EXCHANGES: readonly (readonly [string, (body: Buffer) => Exchange, object])[] = [
  ['embeddings', readOpenAiEmbeddings, { input: [LONG, 'a'] }],
  ['rerank', readRerank, { query: 'a', documents: [LONG, 'b'] }],
  ['moderation', readModeration, { input: [LONG, { type: 'text', text: 'a' }] }],
  ['speech', readSpeech, { input: 'a', voice: 'v', instructions: LONG }],
];

describe('T25: bytes of texts', () => {
  it('are counted where they are short', () => {
    expect(boundBytes(['aä', '\u{1F600}'], 1_000)).toBe(7);
  });

  it('are bounded where they are long, by their characters and by the body', () => {
    expect(boundBytes(['a'.repeat(MEBIBYTE)], MEBIBYTE + 20)).toBe(MEBIBYTE + 20);
    expect(boundBytes(['a'.repeat(MEBIBYTE)], 10 * MEBIBYTE)).toBe(3 * MEBIBYTE);
  });

  it.each(EXCHANGES)('of %s are not counted in one step', (_, read, members) => {
    const body = Buffer.from(JSON.stringify({ model: 'm', ...members }));
    const counted = vi.spyOn(Buffer, 'byteLength');
    const joined = vi.spyOn(Array.prototype, 'join');
    const exchange = read(body);
    expect(exchange.promptTexts.join('').length).toBeGreaterThan(MEBIBYTE);
    const lengths = counted.mock.calls.map(([text]) => String(text).length);
    const texts = joined.mock.results.map(({ value }) => String(value).length);
    counted.mockRestore();
    joined.mockRestore();
    expect(Math.max(0, ...lengths)).toBeLessThan(1_000);
    // The last one is that of this test.
    expect(Math.max(0, ...texts.slice(0, -1))).toBeLessThan(64 * 1024);
    expect(exchange.bound.inputTokens).toBeGreaterThanOrEqual(2 * MEBIBYTE);
    expect(exchange.bound.inputTokens).toBeLessThanOrEqual(body.length + 100);
  });
});
