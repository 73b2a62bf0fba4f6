import { afterEach, describe, expect, it, vi } from 'vitest';
import { modelName, textUpTo } from './fields.js';

const FACE = '\u{1F600}';
const problem = 'must hold at most 10 characters';

function problemsOf(schema: { safeParse: typeof modelName.safeParse }, value: unknown): string[] {
  return schema.safeParse(value).error?.issues.map(({ message }) => message) ?? [];
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('M5: a text of at most so many characters', () => {
  it('has that many, of two units each too', () => {
    const short = textUpTo(10, problem);
    for (const text of ['', 'a'.repeat(10), FACE.repeat(10)]) expect(short.parse(text)).toBe(text);
    for (const text of ['a'.repeat(11), FACE.repeat(11), `${FACE.repeat(9)}aa`]) {
      expect(problemsOf(short, text)).toEqual([problem]);
    }
    expect(problemsOf(short, 7)).toEqual(['must be a string']);
  });

  it('is not counted where it is longer than that in any case', () => {
    const looks = vi.spyOn(String.prototype, 'charCodeAt');
    expect(problemsOf(textUpTo(10, problem), FACE.repeat(100_000))).toEqual([problem]);
    expect(looks).not.toHaveBeenCalled();
  });

  it('is not checked any further where it is too long', () => {
    const check = vi.fn<(text: string) => boolean>(() => false);
    expect(problemsOf(textUpTo(10, problem).regex(/b/).refine(check), 'a'.repeat(11))).toEqual([problem]);
    expect(check).not.toHaveBeenCalled();
    expect(problemsOf(modelName, '\0'.repeat(257))).toEqual(['must have at most 256 characters']);
  });
});
