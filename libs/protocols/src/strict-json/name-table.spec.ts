import { describe, expect, it, vi } from 'vitest';
import { GEMINI_NAMES, SNAKE_NAMES } from './known-names.js';

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

  it('C1: is not looked for in one that is too long, whose ligatures stand for many letters', () => {
    const normalize = vi.spyOn(String.prototype, 'normalize');
    const found = [SNAKE_NAMES, GEMINI_NAMES].map((names) => names.findFolded('\uFDFA'.repeat(1_300)));
    const { length } = normalize.mock.calls;
    normalize.mockRestore();
    expect([found, length]).toEqual([[undefined, undefined], 0]);
  });
});
