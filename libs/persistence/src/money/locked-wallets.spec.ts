import { expect, it } from 'vitest';
import { LockedWallets } from './locked-wallets.js';

it('F1: a wallet whose lock could not be had is not waited for again for a moment', () => {
  let nowMs = 0;
  const locked = new LockedWallets(() => nowMs);
  locked.note('a');
  expect([locked.has('a'), locked.has('b')]).toEqual([true, false]);
  nowMs = 399;
  locked.note('b');
  expect(locked.has('a')).toBe(true);
  nowMs = 400;
  expect([locked.has('a'), locked.has('b')]).toEqual([false, true]);
});
