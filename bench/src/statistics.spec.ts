import { describe, expect, it } from 'vitest';
import { median, percentile } from './statistics.js';

describe('percentile', () => {
  it('is a sample of those given', () => {
    const samples = [5, 1, 4, 2, 3];
    expect(median(samples)).toBe(3);
    expect(percentile(samples, 0.99)).toBe(5);
    expect(percentile([7], 0.01)).toBe(7);
    expect(percentile([], 0.5)).toBeNaN();
  });
});
