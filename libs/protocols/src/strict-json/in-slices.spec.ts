import { joinInSlices } from '@mg/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRequestBody } from '../canonical/parse-request-body.js';
import { keepIntegers } from '../json.js';
import { measureCpuMs, readCpuMs } from '../testing/cpu-time.js';
import { BODY_LIMITS } from './json-limits.js';
import { JsonOutline } from './json-outline.js';
import { JsonScanner } from './json-scanner.js';
import { SNAKE_NAMES } from './known-names.js';
import { parseInSlices } from './parse-in-slices.js';
import { stringifyInSlices } from './stringify-in-slices.js';

const LONG = 700_000;
/** Milliseconds of work; a step that takes longer would be felt by other calls. */
const LONGEST_STEP_MS = 100;
/** Of what reading a file at once takes: a string of 20 MB is made in one step, with new memory, which takes up to half of it. */
const LONGEST_FILE_STEP = 0.7;

/** A pause that measures the work since the one before it. */
function measureSteps() {
  let longest = 0;
  let last = Infinity;
  return {
    longest: () => longest,
    pause: async () => {
      longest = Math.max(longest, readCpuMs() - last);
      await pause();
      last = readCpuMs();
    },
  };
}

/** Reads a body as the gateway does a large one. */
async function read(text: string | Buffer, wait = pause) {
  const body = Buffer.from(text);
  const outline = new JsonOutline();
  const scanner = new JsonScanner(SNAKE_NAMES, BODY_LIMITS, outline);
  for (let at = 0; at < body.length; at += 60_000) scanner.push(body.subarray(at, at + 60_000));
  scanner.end();
  await parseInSlices(body, outline, wait);
  return { body, value: parseRequestBody(body), strings: outline.lifted.length };
}

const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

function fill(piece: string): string {
  return piece.repeat(Math.ceil(LONG / piece.length));
}

describe('M5: a large body is read and written in steps', () => {
  it.each(['a', 'é', '漢', '😀', 'x😀', '\\', '"', '\n', 'a\\"\u0001', '\ud83d', '\u2028'])(
    'and comes out as JSON.parse would have it: %j',
    async (piece) => {
      const value = { model: 'm', list: [fill(piece), { inner: fill(`${piece}y`) }], short: piece, n: 1 };
      for (const text of [JSON.stringify(value), JSON.stringify(value).replaceAll('a', '\\u0061')]) {
        // A half of a character has no bytes in UTF-8.
        const expected = JSON.parse(Buffer.from(text).toString('utf8')) as unknown;
        const { value: parsed, strings } = await read(text);
        expect(strings).toBe(2);
        expect(isDeepEqual(parsed, expected)).toBe(true);
        const written = await stringifyInSlices(parsed, pause);
        expect(written.equals(Buffer.from(JSON.stringify(parsed)))).toBe(true);
      }
    },
  );

  it('wherever its escapes and characters are cut', async () => {
    const pieces = fc.array(
      fc.constantFrom('a', 'é', '漢', '😀', '\\\\', '\\"', '\\u00e9', '\\ud83d\\ude00', '\\n'),
      {
        minLength: 1,
        maxLength: 12,
      },
    );
    await fc.assert(
      fc.asyncProperty(pieces, async (parts) => {
        const text = `{"x":"${fill(parts.join(''))}"}`;
        const { value } = await read(text);
        expect(value.x === (JSON.parse(text) as { x: string }).x).toBe(true);
      }),
      { numRuns: 5 },
    );
  });

  it('keeps integers as they were written', async () => {
    const text = `{"pad":"${fill('a')}","id":12345678901234567890}`;
    const { body, value } = await read(text);
    expect(JSON.stringify(keepIntegers(body, value)).slice(-28)).toBe(text.slice(-28));
  });

  it.each([
    ['a wrong escape', `{"x":"${fill('a')}\\q"}`],
    ['a bare line break', `{"x":"${fill('a')}\n"}`],
    ['a text after the value', `{"x":"${fill('a')}" 1}`],
    ['a list', `["${fill('a')}"]`],
  ])('and refused with %s', async (_, text) => {
    await expect(read(text)).rejects.toMatchObject({ code: 'invalid_request', param: 'body' });
  });

  it.each([
    ['numbers', `[${'1,'.repeat(300_000)}1]`],
    ['strings', `[${'"a",'.repeat(100_000)}"a"]`],
    ['objects and arrays', `[${'[],'.repeat(50_000)}[]]`],
    ['different names', `[${Array.from({ length: 10_001 }, (_, n) => `{"k${n}":1}`).join()}]`],
    ['names', `{${Array.from({ length: 3_000 }, (_, n) => `"${n}${'x'.repeat(400)}":1`).join()}}`],
  ])('and refused before it is parsed when it holds too many %s', async (kind, list) => {
    const refused = read(`{"x":${list}}`);
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request', param: 'x' });
    await expect(refused).rejects.toThrow(kind);
  });

  it('and refused before it is parsed when it holds more than a thousand members at its top level', async () => {
    const write = (members: number) =>
      `{${Array.from({ length: members }, (_, n) => `"k${n}":"${fill('a').slice(0, 20)}"`).join()}}`;
    expect(Object.keys((await read(write(1_000))).value)).toHaveLength(1_000);
    const refused = read(write(1_001));
    await expect(refused).rejects.toMatchObject({ code: 'invalid_request', param: 'k999' });
    await expect(refused).rejects.toThrow('1000 members at the top level');
  });

  it('with strings of middle length decoded and written in steps too', async () => {
    const text = JSON.stringify({ list: Array.from({ length: 300 }, () => '漢\n'.repeat(5_000)) });
    const { value, strings } = await read(text);
    expect(strings).toBe(300);
    let steps = 0;
    const written = await stringifyInSlices(value, () => {
      steps++;
      return pause();
    });
    expect(written.equals(Buffer.from(text))).toBe(true);
    expect(steps).toBeGreaterThan(5);
  });

  it('of which none takes long', async () => {
    const { value } = await read(`{"x":"${fill('漢\\n')}"}`);
    const steps = measureSteps();
    await steps.pause();
    await stringifyInSlices(value, steps.pause);
    expect(steps.longest()).toBeLessThan(LONGEST_STEP_MS);
  });

  it('of which none takes long with the largest file in base64', async () => {
    const text = Buffer.from(`{"x":"${Buffer.alloc(15_000_000, 'abc').toString('base64')}"}`);
    const longest: number[] = [];
    // New memory takes long now and then, whatever is done with it.
    for (let run = 0; run < 3; run++) {
      const steps = measureSteps();
      const { body } = await read(text, steps.pause);
      await joinInSlices([body], steps.pause);
      longest.push(steps.longest());
    }
    const atOnceMs = measureCpuMs(() => void JSON.parse(text.toString()));
    expect(Math.min(...longest)).toBeLessThan(LONGEST_FILE_STEP * atOnceMs);
  });

  it('and the names of an object are listed once, however deep it lies', async () => {
    let listed = 0;
    const wide = Object.fromEntries(Array.from({ length: 6_000 }, (_, at) => [`k${at}`, at]));
    let value: unknown = new Proxy(wide, {
      ownKeys: (target) => {
        listed++;
        return Reflect.ownKeys(target);
      },
    });
    for (let depth = 0; depth < 60; depth++) value = depth % 2 === 0 ? [value] : { a: value };
    let pauses = 0;
    const written = await stringifyInSlices(value, async () => void pauses++);
    expect([listed, pauses > 1]).toEqual([1, true]);
    expect(written.toString() === JSON.stringify(value)).toBe(true);
  });
});

/** As `toEqual`, which is slow on long strings that differ. */
function isDeepEqual(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}
