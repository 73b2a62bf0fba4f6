import { describe, expect, it } from 'vitest';
import { pauseBeforeRetry, RetryBudget } from './retry-budget.js';

/** So many retries as a budget allows until it refuses one. */
function drain(budget: RetryBudget): number {
  let retries = 0;
  while (budget.take()) retries++;
  return retries;
}

describe('RetryBudget', () => {
  it('allows a tenth of the calls beyond what is always allowed', () => {
    const budget = new RetryBudget(() => 0);
    expect(drain(budget)).toBe(100);
    for (let call = 0; call < 500; call++) budget.noteCall();
    expect(drain(budget)).toBe(50);
  });

  it('gathers ten a second, for ten seconds at most', () => {
    let nowMs = 0;
    const budget = new RetryBudget(() => nowMs);
    drain(budget);
    nowMs += 1_000;
    expect(drain(budget)).toBe(10);
    nowMs += 3_600_000;
    expect(drain(budget)).toBe(100);
  });
});

describe('pauseBeforeRetry', () => {
  it('is anything up to a limit that doubles, and ends at two seconds', () => {
    expect([1, 2, 3, 9].map((retry) => pauseBeforeRetry(retry, 1))).toEqual([100, 200, 400, 2_000]);
    expect(pauseBeforeRetry(3, 0)).toBe(0);
  });
});
