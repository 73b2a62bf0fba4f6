import { expect, it } from 'vitest';
import { Allowance, REFUSALS } from './allowance.js';

const DAY_SECONDS = 86_400;

it('a key that asks in a loop for a day leaves a bounded number of rows, which report all of its calls', () => {
  let now = 0;
  const kept = new Allowance(REFUSALS, () => now);
  let rows = 0;
  let reported = 0;
  for (let second = 0; second < DAY_SECONDS; second++) {
    now = second * 1_000;
    for (let call = 0; call < 10; call++) {
      const unlogged = kept.take('loop');
      if (unlogged === undefined) continue;
      rows++;
      reported += 1 + unlogged;
    }
  }
  expect(rows).toBeGreaterThan(10_000);
  expect(rows).toBeLessThan(100_000);
  expect(reported).toBeGreaterThan(10 * DAY_SECONDS - 200);
});

it('every refusal is kept of keys that ask as people do, whatever others do', () => {
  const kept = new Allowance(REFUSALS, () => 0);
  for (let call = 0; call < 11_000; call++) kept.take('loop');
  expect(kept.take('loop')).toBeUndefined();
  expect(Array.from({ length: 10_000 }, () => kept.take('calm'))).not.toContain(undefined);
});
