import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { JsonOutline } from '../strict-json/json-outline.js';
import { EventSplitter, EventTooLargeError } from './event-splitter.js';
import { ANSWER_SHAPE, INNER_SHAPE, JsonShape, VECTOR_SHAPE } from './json-shape.js';

const CHUNK_BYTES = 10_007;

function watch(text: string): boolean {
  const shape = new JsonShape(ANSWER_SHAPE);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    if (!shape.push(bytes.subarray(at, at + CHUNK_BYTES))) return false;
  }
  return true;
}

const BOMBS = {
  'a deep one': '['.repeat(300_000),
  'one of many members': `{${'"a":1,'.repeat(600_000)}"a":1}`,
  'one of many names': `[${Array.from({ length: 20_000 }, (_, n) => `{"k${n}":1}`).join()}]`,
  'one long list of numbers': `[${'1,'.repeat(600_000)}1]`,
  'one of many lists': `[${'[[],[],[]],'.repeat(300_000)}[]]`,
  'one of a long name': `{"${'a'.repeat(10_000)}":1}`,
};

describe('M5: JSON of an upstream', () => {
  it.each(Object.entries(BOMBS))('is not parsed when it is %s, whole or as an event', (_, text) => {
    expect(watch(text)).toBe(false);
    const splitter = new EventSplitter();
    const push = () => {
      const bytes = Buffer.from(`data: ${text}`);
      for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
        splitter.push(bytes.subarray(at, at + CHUNK_BYTES));
    };
    expect(push).toThrow(EventTooLargeError);
  });

  it('may hold millions of numbers where it holds vectors', () => {
    const vector = `[${'1,'.repeat(3_000)}1]`;
    expect(new JsonShape(VECTOR_SHAPE).push(Buffer.from(`[${`${vector},`.repeat(2_000)}1]`))).toBe(true);
  });

  it('is taken however long it is when it is honest', () => {
    const tricky = JSON.stringify({ text: '[{"\\":'.repeat(200_000), more: '\\'.repeat(99_999) });
    expect(watch(tricky)).toBe(true);
    const vectors = JSON.stringify({
      data: Array.from({ length: 100 }, () => Array.from({ length: 3_072 }, () => 0.5)),
    });
    expect(watch(vectors)).toBe(true);
    const likely = `[${'{"token":"a","logprob":-1.5,"bytes":[97]},'.repeat(300_000)}0]`;
    expect(watch(likely)).toBe(true);
    const splitter = new EventSplitter();
    splitter.push(Buffer.from(`data: ${tricky}`));
    expect(splitter.push(Buffer.from('\n\n'))?.length).toBe(tricky.length + 8);
  });

  it.each([['{"a":NUMBER}'], ['[1, NUMBER ,"b"]'], ['{"a":"LETTERS","b":[NUMBER]}'], ['[true,"",NUMBER']])(
    'T25: within a text may hold a number of 65,536 digits and no longer one: %s',
    (text) => {
      const push = (digits: number, chunkBytes: number) => {
        const bytes = Buffer.from(
          text.replace('NUMBER', '1'.repeat(digits)).replace('LETTERS', 'a'.repeat(70_000)),
        );
        const shape = new JsonShape(INNER_SHAPE);
        const starts = Array.from(
          { length: Math.ceil(bytes.length / chunkBytes) },
          (_, index) => index * chunkBytes,
        );
        return starts.every((at) => shape.push(bytes.subarray(at, at + chunkBytes)));
      };
      for (const chunkBytes of [997, 65_536, 1_000_000]) {
        expect([push(65_536, chunkBytes), push(65_537, chunkBytes)]).toEqual([true, false]);
      }
    },
  );

  it('has its strings where they are, whatever they hold and wherever it is cut', () => {
    const run = fc
      .tuple(
        fc.constantFrom('a', '漢', '"', '\\', '\\"'),
        fc.constantFrom(1, 2, 3, 255, 256, 257, 600, 5_000),
      )
      .map(([piece, times]) => piece.repeat(times));
    const strings = fc.array(
      fc.array(run, { maxLength: 6 }).map((runs) => runs.join('')),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(strings, fc.integer({ min: 1, max: 9_000 }), (texts, cut) => {
        const written = texts.map((text) => Buffer.from(JSON.stringify(text)));
        const json = Buffer.from(`[${texts.map((text) => JSON.stringify(text)).join()}]`);
        const outline = new JsonOutline();
        const noted = vi.spyOn(outline, 'string');
        const shape = new JsonShape(ANSWER_SHAPE, outline);
        for (let at = 0; at < json.length; at += cut) shape.push(json.subarray(at, at + cut));
        let start = 1;
        const spans = written.map(({ length }) => {
          const span = [start, start + length];
          start += length + 1;
          return span;
        });
        expect(noted.mock.calls).toEqual(spans);
      }),
      { numRuns: 300 },
    );
  });
});
