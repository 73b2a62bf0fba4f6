import { describe, expect, it } from 'vitest';
import { RestartPolicy } from './restart-policy.js';

describe('when workers are replaced', () => {
  it('is later each time they end again soon, and never after the tenth within two minutes', () => {
    let nowMs = 0;
    const policy = new RestartPolicy(() => nowMs);
    const pauses = Array.from({ length: 10 }, () => {
      nowMs += 1_000;
      return policy.noteEnd();
    });
    expect(pauses).toEqual([100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000, 5_000, undefined]);
  });

  it('is at once again for one that ends after a quiet time', () => {
    let nowMs = 0;
    const policy = new RestartPolicy(() => nowMs);
    for (let hour = 0; hour < 100; hour++) {
      nowMs += 3_600_000;
      expect(policy.noteEnd()).toBe(100);
    }
  });
});
