import { describe, expect, it } from 'vitest';
import { AttemptLimit } from './attempt-limit.js';

function makeLimit() {
  let now = 0;
  const limit = new AttemptLimit({ attempts: 2, windowMs: 10_000 }, () => now);
  return { limit, advance: (ms: number) => (now += ms) };
}

describe('AttemptLimit', () => {
  it('refuses after the last attempt and says for how long', () => {
    const { limit, advance } = makeLimit();
    expect([limit.count('a'), limit.count('a')]).toEqual([undefined, undefined]);
    advance(2_500);
    expect(limit.count('a')).toBe(8);
    expect(limit.count('b')).toBeUndefined();
  });

  it('begins again after its window', () => {
    const { limit, advance } = makeLimit();
    for (let count = 0; count < 5; count += 1) limit.count('a');
    advance(10_000);
    expect(limit.count('a')).toBeUndefined();
  });

  it('does not count what succeeded', () => {
    const { limit } = makeLimit();
    for (let count = 0; count < 10; count += 1) {
      expect(limit.count('a')).toBeUndefined();
      limit.giveBack('a');
    }
  });

  it('holds no more keys than it has room for', () => {
    const { limit } = makeLimit();
    for (let key = 0; key < 50_000; key += 1) limit.count(String(key));
    expect(limit.count('0')).toBeUndefined();
  });
});
