import type { BodyOf } from '../../api/routes.js';

const HOUR_MS = 3_600_000;
const SECONDS_OF_HOUR = 3_600;
export const MOST_HOURS = 7 * 24;
/** Seven days ahead at most, by the clock of the console: this browser's may be ahead of it. */
const CLOCK_MARGIN_MS = 60_000;

/** Hours that bodies may be kept for, and for which they are collected. */
export const CAPTURE_HOURS = [1, 24, 72, MOST_HOURS] as const;

/** What keeps bodies of the calls of a key from now on, for so many hours, each for so many hours. */
export function toCaptureSetting(
  hours: number,
  keepHours: number,
  nowMs: number,
): BodyOf<'/api/v1/tokens/{id}/capture', 'put'> {
  const untilMs = nowMs + hours * HOUR_MS - (hours === MOST_HOURS ? CLOCK_MARGIN_MS : 0);
  return { until: new Date(untilMs).toISOString(), keep_seconds: keepHours * SECONDS_OF_HOUR };
}
