import { refuse } from '@mg/contract';

export const DAY_MS = 24 * 60 * 60_000;
/** Days that sums are of unless the caller says otherwise, and at most. */
export const DEFAULT_DAYS = 30;
export const MOST_DAYS = 400;

/** @throws GatewayError `invalid_request` for a range of more days than are summed up at once. */
export function refuseLongRange(from: Date, to: Date, mostDays: number): void {
  if (to.getTime() - from.getTime() <= mostDays * DAY_MS) return;
  throw refuse('invalid_request', 'range_too_long', { param: 'from', values: [mostDays] });
}
