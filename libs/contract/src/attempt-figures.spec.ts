import { expect, it } from 'vitest';
import { classOf, quantileOf } from './attempt-figures.js';

function count(durations: readonly number[]): number[] {
  const histogram: number[] = [];
  for (const ms of durations) {
    const index = classOf(ms);
    while (histogram.length <= index) histogram.push(0);
    histogram[index] = (histogram[index] ?? 0) + 1;
  }
  return histogram;
}

it('is read off a histogram within a fifth, and never too short', () => {
  const durations = Array.from({ length: 1_000 }, (_, index) => 6 + index * 3);
  for (const share of [0.01, 0.5, 0.95, 1]) {
    const exact = durations[Math.ceil(durations.length * share) - 1] ?? 0;
    const read = quantileOf(count(durations), share) ?? 0;
    expect(read).toBeGreaterThanOrEqual(Math.floor(exact));
    expect(read).toBeLessThanOrEqual(exact * 1.2 + 1);
  }
});

it('has a class for every duration', () => {
  expect([0, 5, 1e12].map(classOf)).toEqual([0, 0, 67]);
  expect(quantileOf([], 0.5)).toBeUndefined();
  expect(quantileOf(count([3_600_000]), 0.5)).toBeGreaterThan(900_000);
});
