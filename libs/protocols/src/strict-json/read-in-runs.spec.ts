import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ANSWER_SHAPE, JsonShape } from '../framing/json-shape.js';
import { parseJson } from '../json.js';
import { JsonOutline } from './json-outline.js';
import { readInRuns } from './read-in-runs.js';
import { stringifyInSlices } from './stringify-in-slices.js';

/** So small that a text of a few members is cut in many places. */
const TINY = { longString: 14, longSpace: 3, run: 4 };

const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

async function read(text: string | Buffer, outline = new JsonOutline(TINY), chunkBytes = 7) {
  const bytes = Buffer.from(text);
  const shape = new JsonShape(ANSWER_SHAPE, outline);
  for (let at = 0; at < bytes.length; at += chunkBytes) shape.push(bytes.subarray(at, at + chunkBytes));
  return readInRuns(bytes, shape.end(), () => Promise.resolve());
}

function parseOrNothing(text: string, parse: (text: string) => unknown): string | undefined {
  try {
    return JSON.stringify(parse(text));
  } catch {
    return undefined;
  }
}

const NAMES = ['a', 'b', '__proto__', '1', 'é', ''] as const;
const SCALARS = ['1', '-2.5e3', 'true', 'null', '""', '"x"', '"a longer text"', '"\\"[{,:"', '"漢\\u00e9"'];
const SPACES = ['', '', '', ' ', '\n   \t '];
/** JSON texts with names that come twice, white space and numbers beyond 2^53; an object or a list. */
const { texts } = fc.letrec<{ texts: string; value: string }>((tie) => ({
  value: fc.oneof({ maxDepth: 5 }, fc.constantFrom(...SCALARS, '12345678901234567890'), tie('texts')),
  texts: fc.oneof(
    fc
      .tuple(fc.array(tie('value'), { maxLength: 8 }), fc.constantFrom(...SPACES))
      .map(([items, space]) => `[${space}${items.join(`${space},${space}`)}${space}]`),
    fc
      .tuple(
        fc.array(fc.tuple(fc.constantFrom(...NAMES), tie('value')), { maxLength: 8 }),
        fc.constantFrom(...SPACES),
      )
      .map(([members, space]) => {
        const written = members.map(([name, value]) => `${JSON.stringify(name)}${space}:${value}`);
        return `{${space}${written.join(`,${space}`)}${space}}`;
      }),
  ),
}));

describe('M5: a JSON text that is read in runs', () => {
  it('comes out as JSON.parse would have it', async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 40 }), async (text, chunkBytes) => {
        const { value, exact } = await read(text, undefined, chunkBytes);
        expect(value).toEqual(JSON.parse(text));
        expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(text)));
        expect(JSON.stringify(exact)).toBe(JSON.stringify(parseJson(text)));
        expect((await stringifyInSlices(exact, pause)).toString()).toBe(JSON.stringify(exact));
      }),
      { numRuns: 300 },
    );
  });

  it('is refused where JSON.parse would refuse it, whatever is put in or left out', async () => {
    const edits = fc.array(
      fc.tuple(fc.nat(), fc.constantFrom('', ',', '[', ']', '{', '}', ':', '"', '1', '\u0000')),
      {
        minLength: 1,
        maxLength: 2,
      },
    );
    await fc.assert(
      fc.asyncProperty(texts, edits, async (whole, changes) => {
        let text = whole;
        for (const [place, edit] of changes) {
          const at = place % (text.length + 1);
          text = text.slice(0, at) + edit + text.slice(edit === '' ? at + 1 : at);
        }
        const expected = parseOrNothing(text, JSON.parse);
        const outcome = await read(text).then(
          ({ value }) => JSON.stringify(value),
          () => undefined,
        );
        expect(outcome).toBe(expected);
      }),
      { numRuns: 1_000 },
    );
  });

  it.each(['[1,     ,2]', '[1     ,     ,2]', '{"a":1,     ,"b":2}', '[[1,2,     ],     ,3]', '[,     1]'])(
    'is refused where a value is missing: %s',
    async (text) => {
      await expect(read(text)).rejects.toThrow(SyntaxError);
    },
  );

  it.each([
    ['numbers', `{"a":[${'0.123456789,'.repeat(300_000)}1]}`],
    ['likely tokens', `{"a":[${'{"token":"a","logprob":-1.5,"bytes":[97]},'.repeat(80_000)}0]}`],
    ['names', `{${Array.from({ length: 200_000 }, (_, n) => `"k${n % 5_000}":{"a":[]}`).join()}}`],
    ['white space', `{"a":1,${' '.repeat(4_000_000)}"b":[1,2]}`],
    ['strings of middle length', JSON.stringify(Array.from({ length: 500 }, () => '漢\n'.repeat(2_000)))],
    ['a long string', JSON.stringify({ a: 'é'.repeat(2_000_000) })],
  ])('and written again is cut into many short steps: %s', async (_, text) => {
    const shape = new JsonShape(ANSWER_SHAPE);
    const bytes = Buffer.from(text);
    shape.push(bytes);
    let pauses = 0;
    const count = () => {
      pauses++;
      return pause();
    };
    const { value } = await readInRuns(bytes, shape.end(), count);
    const whole = JSON.stringify(JSON.parse(text));
    expect(JSON.stringify(value) === whole).toBe(true);
    // White space is not read at all.
    const plainBytes = text.replaceAll(/ +/g, '').length;
    expect(pauses).toBeGreaterThan(plainBytes / (300 * 1024));
    pauses = 0;
    expect((await stringifyInSlices(value, count)).toString() === whole).toBe(true);
    expect(pauses).toBeGreaterThan(Buffer.byteLength(whole) / (1024 * 1024) - 1);
  });
});
