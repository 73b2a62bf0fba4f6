import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Codec } from './canonical/codec.js';
import type { CanonicalEvent } from './canonical/events.js';
import { CODECS, expectedText, fixIds, readGoldens, readText } from './testing/read-goldens.js';
import { collectStream, decodeStream } from './testing/read-stream.js';

const NOW_SECONDS = 1_700_000_000;

function convert(from: Codec, to: Codec, stream: string): string {
  const encoder = to.createStreamEncoder({ model: 'some-model', includeUsage: true });
  const events = decodeStream(from, [Buffer.from(stream)]);
  return fixIds(events.map((event) => encoder.encode(event)).join(''));
}

/** A stream that fails tells no usage, and the code of a failure only where its protocol has one. */
function sayFault(events: readonly CanonicalEvent[]): unknown {
  const last = events.at(-1);
  return last?.type === 'fault' ? { said: last.fault.message } : collectStream(events);
}

const DIFFERENCES = [
  // Signatures come once, at the end of a choice: SDKs would lose those that come in several chunks.
  'openai-chat: stream-thinking-blocks',
  // Searches are counted for the bill in what the provider sent; a converted stream does not repeat them.
  'openai-responses: stream-web-search',
];

describe('createStreamEncoder', () => {
  beforeAll(() => void vi.useFakeTimers({ now: NOW_SECONDS * 1000 }));
  afterAll(() => void vi.useRealTimers());

  for (const golden of readGoldens('stream.sse')) {
    const { codec, concept } = golden;
    const stream = readText(golden, 'stream.sse');
    for (const to of CODECS) {
      it(`${codec.name} to ${to.name}: ${concept}`, () => {
        const converted = convert(codec, to, stream);
        expect(converted).toBe(expectedText(golden, `stream.to-${to.name}.sse`, converted));
      });
    }

    it(`${codec.name} and back: ${concept}`, () => {
      const before = decodeStream(codec, [Buffer.from(stream)]);
      const after = decodeStream(codec, [Buffer.from(convert(codec, codec, stream))]);
      const differs = !isDeepStrictEqual(sayFault(after), sayFault(before));
      expect(differs).toBe(DIFFERENCES.includes(`${codec.name}: ${concept}`));
    });
  }

  it('sends usage to an OpenAI client only when it asked for it', () => {
    const [golden] = readGoldens('stream.sse').filter(({ concept }) => concept === 'stream-text');
    const events = golden ? decodeStream(golden.codec, [Buffer.from(readText(golden, 'stream.sse'))]) : [];
    const [openai] = CODECS;
    const encoder = openai?.createStreamEncoder({ model: 'm', includeUsage: false });
    expect(events.map((event) => encoder?.encode(event)).join('')).not.toContain('usage');
  });
});
