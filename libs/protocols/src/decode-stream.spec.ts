import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { expectedJson, readGoldens, readText, toPlain } from './testing/read-goldens.js';
import { cutAt, cutEverywhere, decodeStream } from './testing/read-stream.js';

describe('createStreamDecoder', () => {
  for (const golden of readGoldens('stream.sse')) {
    const { codec } = golden;
    const text = readText(golden, 'stream.sse');
    const stream = Buffer.from(text);

    it(`${codec.name}: ${golden.concept}`, () => {
      const events = toPlain(decodeStream(codec, [stream]));
      expect(events).toEqual(expectedJson(golden, 'stream.events.json', events));
    });

    it(`${codec.name}: ${golden.concept}, cut at any byte, with any line ends`, () => {
      const whole = decodeStream(codec, [stream]);
      for (const lineEnd of ['\n', '\r\n', '\r']) {
        const variant = Buffer.from(text.replaceAll('\n', lineEnd));
        expect(decodeStream(codec, cutEverywhere(variant))).toEqual(whole);
        const differing = listCuts(variant, lineEnd).filter(
          (offset) => !isDeepStrictEqual(decodeStream(codec, cutAt(variant, offset)), whole),
        );
        expect(differing).toEqual([]);
      }
    });
  }
});

/** Every offset of a stream with plain line ends; with others, those at line ends, where alone they differ. */
function listCuts(stream: Buffer, lineEnd: string): number[] {
  const offsets = Array.from({ length: stream.length + 1 }, (_, offset) => offset);
  if (lineEnd === '\n') return offsets;
  const endsLine = (byte: number | undefined) => byte === 0x0a || byte === 0x0d;
  return offsets.filter((offset) => endsLine(stream[offset - 1]) || endsLine(stream[offset]));
}
