import { describe, expect, it } from 'vitest';
import { hasNoKeyLeft, isLastEnabled } from './channel-keys.js';

function key(ref: string, enabled: boolean) {
  return { id: ref, ref, hint: `sk-...${ref}`, enabled };
}

describe('the keys of a channel', () => {
  it('leave it without one when all are disabled, and not when it needs none', () => {
    expect(hasNoKeyLeft({ keys: [key('a', false), key('b', false)] })).toBe(true);
    expect(hasNoKeyLeft({ keys: [key('a', false), key('b', true)] })).toBe(false);
    expect(hasNoKeyLeft({ keys: [] })).toBe(false);
  });

  it('tell the last one that is enabled', () => {
    const keys = [key('a', true), key('b', false)];
    expect(isLastEnabled({ keys }, key('a', true))).toBe(true);
    expect(isLastEnabled({ keys }, key('b', false))).toBe(false);
    expect(isLastEnabled({ keys: [key('a', true), key('b', true)] }, key('a', true))).toBe(false);
  });
});
