import { expect, it } from 'vitest';
import { readArgumentsInSlices, writeArgumentsInSlices } from './arguments-in-slices.js';
import { areArgumentsWhole, readArguments, readInput, writeArguments } from './json-text.js';
import type { CanonicalRequest } from './request.js';

it('M5: arguments that no model writes are kept as text and not parsed', () => {
  const long = JSON.stringify({ a: 'b'.repeat(2_000_000) });
  expect(readArguments(long)).toEqual({ _raw: long });
  expect(areArgumentsWhole(long)).toBe(true);
  expect(areArgumentsWhole(long.slice(0, -1))).toBe(false);
  expect(readArguments('{"a":1}')).toEqual({ a: 1 });
});

it.each([200, 300_000])('M5: arguments that are nested %i deep are written again as they were', (depth) => {
  const text = `{"a":"[[\\"[","b":${'['.repeat(depth)}${']'.repeat(depth)}}`;
  expect(writeArguments(readArguments(text))).toBe(text);
  expect('_raw' in readArguments(text)).toBe(depth > 256);
});

it('M5: arguments of many calls are written and parsed in steps, and come out as they would at once', async () => {
  const long = { a: 'b'.repeat(300_000), n: [1, 2, 3], deep: { c: ['d'] } };
  const inputs = [{}, { small: 1 }, ...Array.from({ length: 40 }, (_, at) => ({ ...long, at }))];
  let pauses = 0;
  const pause = async () => void pauses++;
  await writeArgumentsInSlices(inputs, pause);
  expect(pauses).toBeGreaterThan(100);
  const texts = inputs.map(writeArguments);
  expect(texts.map((text) => JSON.parse(text))).toEqual(inputs);
  const blocks = [
    ...texts,
    '[1]'.padEnd(100_000),
    `{"a":12345678901234567890,"b":"${'c'.repeat(70_000)}"}`,
    // Bytes cannot say half of a pair, and there are more names than an answer may have.
    `{"a":"\ud800","b":"${'c'.repeat(70_000)}"}`,
    JSON.stringify(Object.fromEntries(Array.from({ length: 12_000 }, (_, name) => [`name ${name}`, name]))),
  ].map((text, at) => ({ type: 'tool-call', id: String(at), name: 'f', arguments: text }) as const);
  const request = { turns: [{ role: 'assistant', blocks }] } as unknown as CanonicalRequest;
  pauses = 0;
  const [turn] = (await readArgumentsInSlices(request, pause)).turns;
  expect(pauses).toBeGreaterThan(100);
  const read = (turn?.blocks ?? []).map((block) => (block.type === 'tool-call' ? readInput(block) : block));
  expect(JSON.stringify(read)).toBe(JSON.stringify(blocks.map((block) => readInput(block))));
});
