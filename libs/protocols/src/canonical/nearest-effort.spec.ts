import { describe, expect, it } from 'vitest';
import { nearestEffort } from './nearest-effort.js';

describe('nearestEffort', () => {
  it.each([
    ['low', ['low', 'high'], 'low'],
    ['medium', ['low', 'high'], 'low'],
    ['minimal', ['none', 'low'], 'none'],
    ['max', ['none', 'low', 'medium'], 'medium'],
    ['low', ['none', 'high'], 'high'],
    ['high', ['none'], 'none'],
    ['none', ['low', 'high'], 'low'],
    ['low', [], undefined],
  ] as const)('of %s among %j is %s', (wanted, known, nearest) => {
    expect(nearestEffort(wanted, known)).toBe(nearest);
  });
});
