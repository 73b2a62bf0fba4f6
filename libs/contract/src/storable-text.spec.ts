import { describe, expect, it } from 'vitest';
import { findUnstorableText, isStorableText, toStorableJson, toStorableText } from './storable-text.js';

const LONE = '\uD83D';

describe('M2, M3: text that Postgres cannot store', () => {
  it.each([
    ['', true],
    ['plain', true],
    ['a pair \u{1F600}', true],
    ['a\0', false],
    [`a${LONE}`, false],
    ['\uDE00a', false],
  ])('%j: storable %s', (text, storable) => {
    expect(isStorableText(text)).toBe(storable);
    expect(isStorableText(toStorableText(text))).toBe(true);
    expect(toStorableText(text) === text).toBe(storable);
  });

  it('is replaced in JSON, in names too', () => {
    const json = toStorableJson([{ 'na\0me': `cut ${LONE}`, kept: ['a\0b', 1, null, true] }]);
    expect(JSON.parse(json)).toEqual([{ 'na\uFFFDme': 'cut \uFFFD', kept: ['a\uFFFDb', 1, null, true] }]);
  });

  it('leaves other JSON as it is, also what only looks like an escape', () => {
    for (const value of [{ text: String.raw`\u0000` }, { text: '\u{1F600}' }, [], { at: new Date(0) }]) {
      expect(toStorableJson(value)).toBe(JSON.stringify(value));
    }
  });

  it('is found by the name of its field', () => {
    expect(findUnstorableText({ a: 'x', list: ['y', { b: 'z\0' }] })).toBe('list[1].b');
    expect(findUnstorableText({ settings: { region: LONE } })).toBe('settings.region');
    expect(findUnstorableText({ settings: { 'a\0': 1 } })).toBe('settings.a\uFFFD');
    expect(findUnstorableText('\0')).toBe('');
    expect(findUnstorableText({ a: ['fine', null, 7] })).toBeUndefined();
    expect(findUnstorableText(undefined)).toBeUndefined();
    const deep = JSON.parse(`${'['.repeat(200_000)}"\\u0000"${']'.repeat(200_000)}`);
    expect(findUnstorableText(deep)).toMatch(/^\[0\]/);
  });
});
