import { expect, it } from 'vitest';
import { findUsedShare } from './used-share.js';

it.each([
  ['0', '10', 0],
  ['7.999', '10', 79.9],
  ['0.640784168', '5', 12.8],
  ['10', '10', 100],
  ['0.05', '0.01', 500],
  ['0', '0', 100],
])('%s of %s is %s per cent', (used, amount, share) => {
  expect(findUsedShare(used, amount)).toBe(share);
});
