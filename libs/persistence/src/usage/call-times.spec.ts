import { describe, expect, it } from 'vitest';
import { findQuantile } from './call-times.js';
import { TIME_BOUNDS_MS } from './time-bounds.js';

/** The quantile of times that are counted as the database counts them. */
function quantile(timesMs: readonly number[], share: number): number | null {
  const byClass = Map.groupBy(timesMs, (timeMs) => TIME_BOUNDS_MS.filter((bound) => bound <= timeMs).length);
  const classes = [...byClass.keys()].toSorted((left, right) => left - right);
  const counts = classes.map((found) => byClass.get(found)?.length ?? 0);
  return findQuantile(classes, counts, share);
}

describe('findQuantile', () => {
  it.each([0.5, 0.95])('is within a tenth of the true share %f of a thousand calls', (share) => {
    const times = Array.from({ length: 1_000 }, (_, index) => 40 + index * 7);
    const truth = times[Math.floor(1_000 * share)] ?? 0;
    expect(Math.abs((quantile(times, share) ?? 0) / truth - 1)).toBeLessThan(0.1);
  });

  it('reports a single call within a tenth', () => {
    for (const timeMs of [12, 964, 61_000])
      expect(Math.abs((quantile([timeMs], 0.5) ?? 0) / timeMs - 1)).toBeLessThan(0.11);
  });

  it('takes what is beyond the last bound as that bound', () => {
    expect(quantile([5_000_000], 0.95)).toBe(TIME_BOUNDS_MS.at(-1));
  });

  it('is nothing where no call has any', () => {
    expect(quantile([], 0.5)).toBeNull();
  });
});

describe('the bounds', () => {
  it('rise', () => {
    expect(TIME_BOUNDS_MS).toEqual(TIME_BOUNDS_MS.toSorted((left, right) => left - right));
  });
});
