import type { ClientProtocolName } from '@mg/protocols';
import { writeLimitHeaders } from '../edge/limit-headers.js';
import type { Meter } from './meter.js';

/** The limits of a key in the words of its client, as far as this gateway knows them: of several that count the same, the one of which the least is left. */
export function describeLimits(
  dialect: ClientProtocolName,
  meters: readonly Meter[],
): Readonly<Record<string, string>> {
  const requests = findTightest(meters.filter(({ measure }) => measure === 'rpm' || measure === 'rpd'));
  const tokens = findTightest(meters.filter(({ measure }) => measure === 'tpm'));
  const write = (counted: 'requests' | 'tokens', meter: Meter | undefined) =>
    meter ? writeLimitHeaders(dialect, counted, meter) : {};
  return { ...write('requests', requests), ...write('tokens', tokens) };
}

function findTightest(meters: readonly Meter[]): Meter | undefined {
  return meters.reduce<Meter | undefined>(
    (tightest, meter) => (tightest && tightest.remaining <= meter.remaining ? tightest : meter),
    undefined,
  );
}
