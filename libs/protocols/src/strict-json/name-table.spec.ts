import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { GEMINI_NAMES, SNAKE_NAMES } from './known-names.js';
import { hashName } from './name-table.js';

describe('a name that reads like a known one', () => {
  it.each([
    ['MODEL', 'model'],
    ['ｍｏｄｅｌ', 'model'],
    ['𝐦𝐨𝐝𝐞𝐥', 'model'],
    ['meſſages', 'messages'],
    ['max_to\u212Aens', 'max_tokens'],
    ['model\uFDFA', undefined],
  ])('%s is found', (name, known) => {
    expect(SNAKE_NAMES.findOther(name)).toBe(known);
  });

  it('is found however many underscores it has, where those do not count', () => {
    const [low, wide] = ['_', '\uFF3F'].map((line) => `c${line.repeat(1_000)}ontents`);
    expect([GEMINI_NAMES.findOther(low ?? ''), GEMINI_NAMES.findOther(wide ?? '')]).toEqual([
      'contents',
      'contents',
    ]);
  });

  it('M5: has each character of it looked up once, whatever letters it stands for and however many names there are', () => {
    const normalize = vi.spyOn(String.prototype, 'normalize');
    const find = (text: string) => [SNAKE_NAMES, GEMINI_NAMES].map((names) => names.findFolded(text));
    expect(find('\uFDFA'.repeat(1_300))).toEqual([undefined, undefined]);
    for (let at = 0; at < 1_000; at++) {
      expect(find(`ﬃ\uFDFA${'é'.repeat(at)}`)).toEqual([undefined, undefined]);
    }
    const { length } = normalize.mock.calls;
    normalize.mockRestore();
    expect(length).toBeLessThanOrEqual(3);
  });

  it('is found where the whole of it is folded to one, and nowhere else', () => {
    const letters = fc.constantFrom(
      ...'modelMODELſ\u212Aﬁﬃßıİｍ𝐦𝕞é_＿',
      '\u0307',
      '\u0301',
      '\ud835',
      '\udd5e',
    );
    const names = fc.oneof(
      fc.string({ unit: letters, maxLength: 8 }),
      fc
        .tuple(fc.constantFrom('model', 'file', 'stop', 'inlineData'), fc.nat(9), fc.nat(2), letters)
        .map(([name, at, cut, letter]) => name.slice(0, at) + letter + name.slice(at + cut)),
    );
    fc.assert(
      fc.property(names, fc.constantFrom(SNAKE_NAMES, GEMINI_NAMES), (name, table) => {
        const { first, second } = hashName(table.fold(name));
        expect(table.findFolded(name)).toBe(table.find(first, second));
      }),
      { numRuns: 2_000 },
    );
  });
});
