import { expect, it } from 'vitest';
import { isExhausted } from './is-exhausted.js';

it.each([
  ['0', null, false],
  ['4.999999999', '5', false],
  ['5', '5', true],
  ['5.01', '5', true],
  ['0', '0', true],
])('a key that spent %s of %s', (used, quota, expected) => {
  expect(isExhausted({ used, spending_quota: quota })).toBe(expected);
});
