import { describe, expect, it } from 'vitest';
import { attempt, expectedJson, readGoldens, readJson, readModel, toPlain } from './testing/read-goldens.js';

describe('decodeRequest', () => {
  for (const golden of readGoldens('request.json')) {
    it(`${golden.codec.name}: ${golden.concept}`, () => {
      const body = readJson(golden, 'request.json');
      const decode = () => golden.codec.decodeRequest(body, readModel(body), body.stream === true);
      const request = toPlain(attempt(decode));
      expect(request).toEqual(expectedJson(golden, 'request.canonical.json', request));
    });
  }
});
