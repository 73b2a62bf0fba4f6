import { expect, it } from 'vitest';
import { onOneLine, onOneLineInSteps } from './on-one-line.js';

const BREAKS = /[\n\r\v\f\u0085\u2028\u2029]/;

it.each([
  ['between values', '{\r\n  "a": 1,\n  "b": [\n]\r}'],
  ['in texts', JSON.stringify({ a: 'x\n\r\u0085y\u2028{"custom_id":"1"}\u2029', é: '…\u2027\u202a\u0084' })],
])('JSON with breaks %s is one line for every reader, and says the same', (_where, json) => {
  const line = onOneLine(Buffer.from(json)).toString();
  expect(line).not.toMatch(BREAKS);
  expect(JSON.parse(line)).toEqual(JSON.parse(json));
});

it('other JSON goes as it is', () => {
  const json = Buffer.from('{"a":"é"}');
  expect(onOneLine(json)).toBe(json);
});

it.each(['', 'x', 'xx'])(
  'JSON of megabytes is made one line in steps, wherever it is cut (%j)',
  async (before) => {
    const json = Buffer.from(JSON.stringify({ a: before + '\u2028é中\u0085'.repeat(50_000) }));
    let pauses = 0;
    const line = await onOneLineInSteps(json, async () => void pauses++);
    expect(line.equals(onOneLine(json))).toBe(true);
    expect(pauses).toBeGreaterThan(10);
  },
);
