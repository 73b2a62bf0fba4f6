import { expect, it } from 'vitest';
import { areArgumentsWhole, readArguments } from './json-text.js';

it('M5: arguments that no model writes are kept as text and not parsed', () => {
  const long = JSON.stringify({ a: 'b'.repeat(2_000_000) });
  expect(readArguments(long)).toEqual({ _raw: long });
  expect(areArgumentsWhole(long)).toBe(true);
  expect(areArgumentsWhole(long.slice(0, -1))).toBe(false);
  expect(readArguments('{"a":1}')).toEqual({ a: 1 });
});
