import type { EntityManager } from 'typeorm';
import type { OwnerScope } from '../console/owner-scope.js';
import { roundDown, roundUp, DAY_MS, HOUR_MS } from './split-time-range.js';
import { toFactParameters, type UsageQuestion } from './usage-facts.js';
import { sumFacts, type TotalsRow, toTotals, type UsageTotals } from './usage-sums.js';

export const USAGE_BUCKETS = ['hour', 'day'] as const;
export type UsageBucket = (typeof USAGE_BUCKETS)[number];

export interface UsageSeriesQuestion extends UsageQuestion {
  readonly bucket: UsageBucket;
}

/** The calls of one hour or day, in UTC. */
export interface UsagePoint extends UsageTotals {
  readonly at: Date;
}

interface PointRow extends TotalsRow {
  readonly at: Date;
}

const BUCKET_MS: Readonly<Record<UsageBucket, number>> = { hour: HOUR_MS, day: DAY_MS };

const SERIES = `
  ${sumFacts(`date_trunc($13, at, 'UTC')`)}
  select bucket.at, total.calls, total.errors, total.client_errors, total.server_errors, total.input_tokens, total.output_tokens, total.cached_input_tokens, total.cost, times.class, times.latency, times.ttft
    from generate_series($14::timestamptz, $15::timestamptz - interval '1 microsecond', make_interval(hours => $16)) as bucket(at)
    left join total on total.key = bucket.at
    left join times on times.key = bucket.at
   order by bucket.at`;

/**
 * Every hour or day that a time range touches, in order, those without a call included. Each is whole, the first and the
 * last too, and so a sum that is kept: no call is read.
 */
export async function listUsage(
  manager: EntityManager,
  scope: OwnerScope,
  question: UsageSeriesQuestion,
): Promise<UsagePoint[]> {
  const { bucket } = question;
  const from = new Date(roundDown(question.from.getTime(), BUCKET_MS[bucket]));
  const to = new Date(roundUp(question.to.getTime(), BUCKET_MS[bucket]));
  const rows: PointRow[] = await manager.query(SERIES, [
    ...toFactParameters(scope, { ...question, from, to }, { byHour: bucket === 'hour' }),
    bucket,
    from,
    to,
    BUCKET_MS[bucket] / HOUR_MS,
  ]);
  return rows.map((row) => ({ at: row.at, ...toTotals(row) }));
}
