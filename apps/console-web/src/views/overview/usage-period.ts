import { dayOf, findTimeZone } from '../../layout/time-zone.js';
import type { UsagePoint, UsageSum } from '../../api/console-api.js';

const HOUR_MS = 3_600_000;

/** How often the overview asks again. */
export const REFRESH_MS = 5_000;

/** A time range up to now, drawn by hours or days. */
export interface UsagePeriod {
  readonly count: number;
  readonly bucket: 'hour' | 'day';
}

export const PERIODS: readonly UsagePeriod[] = [
  { count: 24, bucket: 'hour' },
  { count: 7, bucket: 'day' },
  { count: 30, bucket: 'day' },
  { count: 90, bucket: 'day' },
];

/** The one that the overview opens with. */
export const FIRST_PERIOD = PERIODS[1] as UsagePeriod;

/** Where a period begins: at the begin of its first hour or day, in UTC as the API counts them. */
export function beginOf({ count, bucket }: UsagePeriod, nowMs: number): string {
  const lengthMs = bucket === 'hour' ? HOUR_MS : 24 * HOUR_MS;
  return new Date(Math.floor(nowMs / lengthMs) * lengthMs - (count - 1) * lengthMs).toISOString();
}

/** The period of the same length before this one, up to the moment that this one has come to. */
export function beginOfBefore(period: UsagePeriod, nowMs: number): { from: string; to: string } {
  const lengthMs = (period.bucket === 'hour' ? HOUR_MS : 24 * HOUR_MS) * period.count;
  const endMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS - lengthMs;
  return {
    from: new Date(Date.parse(beginOf(period, nowMs)) - lengthMs).toISOString(),
    to: new Date(endMs).toISOString(),
  };
}

/** The same time as the logs are filtered by: the last 24 hours, or days of the reader's calendar. */
export function toLogPeriod(period: UsagePeriod, nowMs: number): { preset?: string; from?: string } {
  if (period.bucket === 'hour') return { preset: 'day' };
  const begin = new Date(beginOf(period, nowMs));
  return {
    from: dayOf(begin)
      .map((part) => String(part).padStart(2, '0'))
      .join('-'),
  };
}

/** A point as it is drawn: heights, no amounts of money to calculate with. */
export interface ChartPoint {
  readonly time: string;
  readonly spend: number;
  /** The same to the nano-dollar, as a decimal string. */
  readonly cost: string;
  readonly succeeded: number;
  readonly clientErrors: number;
  readonly serverErrors: number;
  /** Errors that were summed before they were told apart. */
  readonly unclassifiedErrors: number;
  readonly p50: number | null;
  readonly p95: number | null;
  readonly ttftP50: number | null;
}

/** Errors that were summed before migration 0083, of which only the number is known. */
export function countUnclassified(sum: Pick<UsageSum, 'errors' | 'client_errors' | 'server_errors'>): number {
  return sum.errors - sum.client_errors - sum.server_errors;
}

/** Every hour or day of a period, those without calls too, oldest first. */
export function toChartPoints(
  points: readonly UsagePoint[],
  period: UsagePeriod,
  nowMs: number,
  language = 'en',
): ChartPoint[] {
  const lengthMs = period.bucket === 'hour' ? HOUR_MS : 24 * HOUR_MS;
  const byBegin = new Map(points.map((point) => [Date.parse(point.at), point]));
  const beginMs = Date.parse(beginOf(period, nowMs));
  return Array.from({ length: period.count }, (_, index) => {
    const atMs = beginMs + index * lengthMs;
    const point = byBegin.get(atMs);
    return {
      time: describe(atMs, period.bucket, language),
      spend: Number(point?.cost ?? 0),
      cost: point?.cost ?? '0',
      succeeded: (point?.calls ?? 0) - (point?.errors ?? 0),
      clientErrors: point?.client_errors ?? 0,
      serverErrors: point?.server_errors ?? 0,
      unclassifiedErrors: point ? countUnclassified(point) : 0,
      p50: point?.latency_p50_ms ?? null,
      p95: point?.latency_p95_ms ?? null,
      ttftP50: point?.ttft_p50_ms ?? null,
    };
  });
}

function describe(atMs: number, bucket: UsagePeriod['bucket'], language: string): string {
  const moment = new Date(atMs);
  if (bucket === 'day') {
    return moment.toLocaleDateString(language, { timeZone: 'UTC', month: 'short', day: 'numeric' });
  }
  // Where the reader's clock is half an hour off, so is every full hour of UTC.
  return moment.toLocaleTimeString('en-GB', {
    timeZone: findTimeZone(),
    hour: '2-digit',
    minute: '2-digit',
  });
}
