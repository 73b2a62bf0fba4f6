import type { ClientProtocolName } from '@mg/protocols';
import type { Meter } from './meter.js';

const SECOND_MS = 1_000;

/**
 * The limits of a key in the words of its client, as far as this gateway knows them: of several that count the same, the one
 * of which the least is left. https://platform.openai.com/docs/guides/rate-limits, https://docs.anthropic.com/en/api/rate-limits
 */
export function describeLimits(
  dialect: ClientProtocolName,
  meters: readonly Meter[],
): Readonly<Record<string, string>> {
  const requests = findTightest(meters.filter(({ measure }) => measure === 'rpm' || measure === 'rpd'));
  const tokens = findTightest(meters.filter(({ measure }) => measure === 'tpm'));
  return {
    ...(requests && describeMeter(dialect, 'requests', requests)),
    ...(tokens && describeMeter(dialect, 'tokens', tokens)),
  };
}

function findTightest(meters: readonly Meter[]): Meter | undefined {
  return meters.reduce<Meter | undefined>(
    (tightest, meter) => (tightest && tightest.remaining <= meter.remaining ? tightest : meter),
    undefined,
  );
}

function describeMeter(
  dialect: ClientProtocolName,
  what: 'requests' | 'tokens',
  { limit, remaining, resetMs }: Meter,
): Record<string, string> {
  if (dialect === 'anthropic-messages') {
    const name = `anthropic-ratelimit-${what}`;
    return {
      [`${name}-limit`]: String(limit),
      [`${name}-remaining`]: String(remaining),
      [`${name}-reset`]: new Date(Date.now() + resetMs).toISOString().replace(/\.\d+Z$/, 'Z'),
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
