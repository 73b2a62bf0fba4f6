import { describe, expect, it } from 'vitest';
import { attempt, CODECS, expectedJson, readGoldens, readJson, toPlain } from './testing/read-goldens.js';

describe('decodeReply', () => {
  for (const golden of readGoldens('reply.json')) {
    it(`${golden.codec.name}: ${golden.concept}`, () => {
      const reply = toPlain(attempt(() => golden.codec.decodeReply(readJson(golden, 'reply.json'))));
      expect(reply).toEqual(expectedJson(golden, 'reply.canonical.json', reply));
    });
  }

  for (const codec of CODECS) {
    it.each([{}, { error: { message: 'broken' } }, { content: 'text' }, { choices: 7 }])(
      `${codec.name}: blames the upstream for %j`,
      (body) => {
        expect(attempt(() => codec.decodeReply(body))).toMatchObject({ refused: { code: 'upstream_error' } });
      },
    );
  }
});
