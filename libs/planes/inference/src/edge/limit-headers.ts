import type { ClientProtocolName } from '@mg/protocols';

const SECOND_MS = 1_000;

/** What is left of a limit. */
export interface LimitFigures {
  readonly limit: number;
  readonly remaining: number;
  readonly resetMs: number;
}

/**
 * A limit in the headers that a client's SDK reads: https://platform.openai.com/docs/guides/rate-limits,
 * https://docs.anthropic.com/en/api/rate-limits
 */
export function writeLimitHeaders(
  dialect: ClientProtocolName,
  what: 'requests' | 'tokens',
  { limit, remaining, resetMs }: LimitFigures,
): Record<string, string> {
  if (dialect === 'anthropic-messages') {
    const name = `anthropic-ratelimit-${what}`;
    const resetAt = new Date(Math.ceil((Date.now() + resetMs) / SECOND_MS) * SECOND_MS);
    return {
      [`${name}-limit`]: String(limit),
      [`${name}-remaining`]: String(remaining),
      [`${name}-reset`]: resetAt.toISOString().replace('.000Z', 'Z'),
    };
  }
  return {
    [`x-ratelimit-limit-${what}`]: String(limit),
    [`x-ratelimit-remaining-${what}`]: String(remaining),
    [`x-ratelimit-reset-${what}`]: formatDuration(resetMs),
  };
}

/** As OpenAI writes it: `0s`, `1s`, `6m0s`, `23h0m5s`. */
function formatDuration(ms: number): string {
  const seconds = Math.ceil(ms / SECOND_MS);
  const hours = Math.floor(seconds / 3_600);
  const minutes = Math.floor(seconds / 60) % 60;
  if (hours > 0) return `${hours}h${minutes}m${seconds % 60}s`;
  return minutes > 0 ? `${minutes}m${seconds % 60}s` : `${seconds}s`;
}
