import { describe, expect, it } from 'vitest';
import { hasNoKeyLeft, isLastEnabled, isRefused } from './channel-keys.js';

function key(ref: string, enabled: boolean) {
  return { id: ref, ref, hint: `sk-...${ref}`, enabled };
}

const figures = { success_share: null, p50_ms: null, p95_ms: null, ttft_p50_ms: null, ttft_p95_ms: null };

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

  it('tell one that the provider refuses, as long as nothing succeeds with it', () => {
    const none = { served: 0, failed: 0 };
    const parts = (status: number, hour = none, day = none) => [
      {
        key: 'sk-...a',
        hour: { ...figures, ...hour },
        day: { ...figures, ...day },
        last_failure: { at: '2027-01-31T00:00:00Z', status },
      },
    ];
    const refused = { served: 0, failed: 2 };
    expect(isRefused(parts(401, refused, { served: 5, failed: 2 }), key('a', true))).toBe(true);
    expect(isRefused(parts(403, none, refused), key('a', true))).toBe(true);
    expect(isRefused(parts(401, { served: 1, failed: 2 }), key('a', true))).toBe(false);
    expect(isRefused(parts(500, refused), key('a', true))).toBe(false);
    expect(isRefused(parts(401, refused), key('b', true))).toBe(false);
    expect(isRefused([], key('a', true))).toBe(false);
  });
});
