import { describe, expect, it } from 'vitest';
import { findRefusal, hasNoKeyLeft, isLastEnabled } from './channel-keys.js';

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

  describe('that the provider may refuse', () => {
    const NOTHING = { served: 0, failed: 0 };
    const REFUSED = { served: 0, failed: 2 };
    const SERVED = { served: 5, failed: 0 };
    const part = (status: number | null, hour = NOTHING, day = hour) => ({
      key: 'sk-...a',
      hour: { ...figures, ...hour },
      day: { ...figures, ...day },
      last_failure: status === null ? null : { at: '2027-01-31T00:00:00Z', status },
    });
    const KEY = key('a', true);

    it('are refused after a 401 until something succeeds', () => {
      expect(findRefusal([part(401, REFUSED, { served: 5, failed: 2 })], KEY)).toBe('now');
      expect(findRefusal([part(401, NOTHING, REFUSED)], KEY)).toBe('now');
      expect(findRefusal([part(401, { served: 1, failed: 2 })], KEY)).toBe('none');
    });

    it('are refused after a 403 where nothing succeeded in 24 hours: it may be about one model', () => {
      expect(findRefusal([part(403, REFUSED)], KEY)).toBe('now');
      expect(findRefusal([part(403, REFUSED), part(null, NOTHING, SERVED)], KEY)).toBe('earlier');
      expect(findRefusal([part(403, REFUSED), part(null, SERVED)], KEY)).toBe('none');
    });

    it('may be refused still where successes of hours ago may be older than the refusal', () => {
      expect(findRefusal([part(401, NOTHING, { served: 5, failed: 2 })], KEY)).toBe('earlier');
    });

    it('are not refused after other failures, by what is of another key, and without attempts', () => {
      expect(findRefusal([part(500, REFUSED)], KEY)).toBe('none');
      expect(findRefusal([part(401, REFUSED)], key('b', true))).toBe('none');
      expect(findRefusal([], KEY)).toBe('none');
    });
  });
});
