import { describe, expect, it, vi } from 'vitest';
import { addLimitHeaders } from './limit-headers.js';

function write(dialect: 'openai-chat' | 'anthropic-messages', what: 'requests' | 'tokens', resetMs: number) {
  const headers = {};
  addLimitHeaders(headers, dialect, what, { limit: 60, remaining: 12, resetMs });
  return headers;
}

describe('headers of limits', () => {
  it.each([
    [0, '0s'],
    [1, '1s'],
    [17_200, '18s'],
    [360_000, '6m0s'],
    [82_805_000, '23h0m5s'],
  ])('say %i ms as OpenAI does: %s', (resetMs, shown) => {
    expect(write('openai-chat', 'tokens', resetMs)).toEqual({
      'x-ratelimit-limit-tokens': '60',
      'x-ratelimit-remaining-tokens': '12',
      'x-ratelimit-reset-tokens': shown,
    });
  });

  it('say the moment as Anthropic does', () => {
    vi.useFakeTimers({ now: Date.parse('2027-01-01T00:00:00.300Z') });
    expect(write('anthropic-messages', 'requests', 59_500)).toEqual({
      'anthropic-ratelimit-requests-limit': '60',
      'anthropic-ratelimit-requests-remaining': '12',
      'anthropic-ratelimit-requests-reset': '2027-01-01T00:01:00Z',
    });
    vi.useRealTimers();
  });
});
