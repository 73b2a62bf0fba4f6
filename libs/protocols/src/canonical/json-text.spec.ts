import { expect, it } from 'vitest';
import {
  hasLongInputs,
  readArgumentsInSlices,
  readReplyArgumentsInSlices,
  writeArgumentsInSlices,
} from './arguments-in-slices.js';
import { areArgumentsWhole, readArguments, readInput, writeArguments } from './json-text.js';
import type { CanonicalReply } from './reply.js';
import type { CanonicalRequest } from './request.js';

it('M5: arguments that no model writes are kept as text and not parsed', () => {
  const long = JSON.stringify({ a: 'b'.repeat(2_000_000) });
  expect(readArguments(long)).toEqual({ _raw: long });
  expect(areArgumentsWhole(long)).toBe(true);
  expect(areArgumentsWhole(long.slice(0, -1))).toBe(false);
  expect(readArguments('{"a":1}')).toEqual({ a: 1 });
});

it('T25: arguments with a number that no model writes are kept as text, and any other stays exact', async () => {
  const pause = async () => undefined;
  const read = async (text: string) => {
    const blocks = [{ type: 'tool-call', id: 'a', name: 'f', arguments: text }] as const;
    const request = { turns: [{ role: 'assistant', blocks }] } as unknown as CanonicalRequest;
    const [block] = (await readArgumentsInSlices(request, pause)).turns[0]?.blocks ?? [];
    return block?.type === 'tool-call' ? block.input : undefined;
  };
  const long = `{"a":${'1'.repeat(1_000_000)}}`;
  expect(await read(long)).toEqual({ _raw: long });
  const exact = `{"a":${'1'.repeat(60_000)},"b":"${'c'.repeat(70_000)}"}`;
  expect(JSON.stringify(await read(exact))).toBe(exact);
});

it('T25: integers that are kept as they were written are written in steps, too', async () => {
  const inputs = Array.from({ length: 400 }, () => ({ a: JSON.rawJSON('1'.repeat(60_000)) }));
  let pauses = 0;
  await writeArgumentsInSlices([{ inputs }], async () => void pauses++);
  expect(pauses).toBeGreaterThan(100);
  expect(writeArguments({ inputs })).toBe(JSON.stringify({ inputs }));
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

const MOST_NAMES = 20_000;
const named = (names: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: names }, (_, at) => [`k${at}`, at])));
const toCall = (text: string) => ({ type: 'tool-call', id: 'c', name: 'f', arguments: text }) as const;

it.each([
  [MOST_NAMES, false],
  [MOST_NAMES + 1, true],
])(
  'M5: of arguments with %i different names, in steps or at once, it is %s that they stay text',
  async (names, isText) => {
    const text = named(names);
    const request = { turns: [{ role: 'assistant', blocks: [toCall(text)] }] } as unknown as CanonicalRequest;
    const reply = { choices: [{ blocks: [toCall(text)] }] } as unknown as CanonicalReply;
    let pauses = 0;
    const pause = async () => void pauses++;
    const [turn] = (await readArgumentsInSlices(request, pause)).turns;
    const [choice] = (await readReplyArgumentsInSlices(reply, pause)).choices;
    const inputs = [...(turn?.blocks ?? []), ...(choice?.blocks ?? [])].map((block) =>
      block.type === 'tool-call' ? block.input : undefined,
    );
    expect(pauses).toBeGreaterThan(0);
    for (const input of [readArguments(text), ...inputs]) {
      expect(input && '_raw' in input).toBe(isText);
      expect(writeArguments(input)).toBe(text);
    }
  },
);

it('M5: a request with a long argument or result is written in steps', () => {
  const ofBlocks = (...blocks: object[]) =>
    ({
      turns: [{ role: 'user', blocks: [{ type: 'text', text: 'a'.repeat(70_000) }, ...blocks] }],
    }) as unknown as CanonicalRequest;
  const result = (text: string) => ({ type: 'tool-result', callId: 'c', content: [{ type: 'text', text }] });
  const long = named(MOST_NAMES);
  const google = { takesObjects: true, takesResultObjects: true } as const;
  expect(hasLongInputs(ofBlocks(toCall('{}'), result('{}')), google)).toBe(false);
  for (const block of [toCall(long), result(long)]) expect(hasLongInputs(ofBlocks(block), google)).toBe(true);
  for (const upstream of [{ takesObjects: true } as const, {}]) {
    expect(hasLongInputs(ofBlocks(result(long)), upstream)).toBe(false);
  }
});

it('M5: long arguments that are cut off are told from whole ones without parsing them', () => {
  const whole = JSON.stringify({ a: [{ b: '}]'.repeat(50_000) }, { c: {} }] });
  expect(areArgumentsWhole(` ${whole}\n`)).toBe(true);
  expect(areArgumentsWhole(whole.slice(0, -2))).toBe(false);
  expect(areArgumentsWhole(whole.slice(0, 50_000 + whole.length / 4))).toBe(false);
});
