import { GatewayError } from '@mg/contract';
import { expect, it } from 'vitest';
import { decodeContentPart } from '../openai-responses/decode-parts.js';
import { measureCpuMs } from '../testing/cpu-time.js';
import { readNativeVideoRequest } from '../video/read-native-request.js';
import { areArgumentsWhole } from './json-text.js';

const BLANK = ' '.repeat(10_000_000);
/** Looking through all of it takes more than ten milliseconds, and matching an expression against it more than fifty. */
const MOST_MS = 5;

it('M5: a file in megabytes of blank space is not searched for what begins a data URL', () => {
  const decode = (data: string) =>
    decodeContentPart({ type: 'input_file', file_data: data }, 'input[0].content[0]');
  expect(() => decode(' data:x')).toThrow(GatewayError);
  expect(measureCpuMs(() => void decode(BLANK))).toBeLessThan(MOST_MS);
});

it('M5: whether arguments are whole is not looked for behind megabytes of blank space', () => {
  const wholes = ['{}', '{', BLANK].map((text) => [
    areArgumentsWhole(text),
    measureCpuMs(() => void areArgumentsWhole(text)) < MOST_MS,
  ]);
  expect(wholes).toEqual([
    [true, true],
    [false, true],
    [false, true],
  ]);
});

it('M5: a resolution in megabytes of blank space is refused by its beginning', () => {
  const order = Buffer.from(`{"model":"m","content":[{"type":"text","text":"a"}],"resolution":"${BLANK}"}`);
  const read = () => readNativeVideoRequest(order);
  expect(read).toThrow(expect.objectContaining({ param: 'resolution' }));
  // Both are measured in turns: a machine under load may become slower between them.
  const beyondParsingMs = [1, 2, 3].map(() => {
    const parsingMs = measureCpuMs(() => void JSON.parse(order.toString()));
    const readingMs = measureCpuMs(() => {
      expect(read).toThrow(GatewayError);
    });
    return readingMs - parsingMs * 2;
  });
  expect(Math.min(...beyondParsingMs)).toBeLessThan(MOST_MS);
});
