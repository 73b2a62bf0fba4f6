import { expect, it } from 'vitest';
import { cutShare } from './attempt-spans.js';

it.each([
  [1, 1],
  [0.99999, 0.999],
  [2 / 3, 0.666],
  [0, 0],
])('a share of %d is shown as %d', (share, shown) => {
  expect(cutShare(share)).toBe(shown);
});
