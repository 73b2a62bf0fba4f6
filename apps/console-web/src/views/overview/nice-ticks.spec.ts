import { describe, expect, it } from 'vitest';
import { niceTicks } from './nice-ticks.js';

describe('the figures of an axis', () => {
  it.each([
    [33_333, true, [0, 10_000, 20_000, 30_000, 40_000]],
    [1, true, [0, 1, 2, 3, 4, 5]],
    [0, true, [0, 1, 2, 3, 4, 5]],
    [12, true, [0, 5, 10, 15]],
    [865, true, [0, 200, 400, 600, 800, 1_000]],
    [0.049, false, [0, 0.01, 0.02, 0.03, 0.04, 0.05]],
    [2.7, false, [0, 1, 2, 3]],
    [0.000_003, false, [0, 0.000_001, 0.000_002, 0.000_003]],
    [0, false, [0, 1]],
  ])('up to %d', (largest, isWhole, ticks) => {
    expect(niceTicks(largest, isWhole)).toEqual(ticks);
  });
});
