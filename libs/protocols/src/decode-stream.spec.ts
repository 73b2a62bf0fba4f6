import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { expectedJson, readGoldens, readText, toPlain } from './testing/read-goldens.js';
import { cutAt, cutEverywhere, decodeStream, listOffsets } from './testing/read-stream.js';

describe('createStreamDecoder', () => {
  for (const golden of readGoldens('stream.sse')) {
    const { codec } = golden;
    const text = readText(golden, 'stream.sse');
    const stream = Buffer.from(text);

    it(`${codec.name}: ${golden.concept}`, () => {
      const events = toPlain(decodeStream(codec, [stream]));
      expect(events).toEqual(expectedJson(golden, 'stream.events.json', events));
    });

    it(`${codec.name}: ${golden.concept}, cut at bytes, with any line ends`, () => {
      const whole = decodeStream(codec, [stream]);
      for (const lineEnd of ['\n', '\r\n', '\r']) {
        const variant = Buffer.from(text.replaceAll('\n', lineEnd));
        expect(decodeStream(codec, cutEverywhere(variant))).toEqual(whole);
        const offsets = listOffsets(variant, lineEnd === '\n' ? 40 : 10);
        const differing = offsets.filter(
          (offset) => !isDeepStrictEqual(decodeStream(codec, cutAt(variant, offset)), whole),
        );
        expect(differing).toEqual([]);
      }
    });
  }
});
