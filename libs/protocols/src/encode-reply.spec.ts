import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  CODECS,
  expectedAgain,
  expectedJson,
  readGoldens,
  readJson,
  readModel,
  toPlain,
} from './testing/read-goldens.js';

const NOW_SECONDS = 1_700_000_000;

describe('encodeReply', () => {
  beforeAll(() => void vi.useFakeTimers({ now: NOW_SECONDS * 1000 }));
  afterAll(() => void vi.useRealTimers());

  for (const golden of readGoldens('reply.json')) {
    if (readJson(golden, 'reply.canonical.json').refused !== undefined) continue;
    const body = readJson(golden, 'reply.json');
    for (const to of CODECS) {
      it(`${golden.codec.name} to ${to.name}: ${golden.concept}`, () => {
        const context = {
          model: to === golden.codec ? readModel(body) : 'some-model',
          includeUsage: true,
        };
        const encoded = toPlain(to.encodeReply(golden.codec.decodeReply(body), context));
        const expected =
          to === golden.codec
            ? expectedAgain(golden, 'reply.json', 'reply.again.json', encoded)
            : expectedJson(golden, `reply.to-${to.name}.json`, encoded);
        expect(encoded).toEqual(expected);
      });
    }
  }
});
