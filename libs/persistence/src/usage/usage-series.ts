import type { EntityManager } from 'typeorm';
import type { OwnerScope } from '../console/owner-scope.js';
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

const SERIES = `
  ${sumFacts(`date_trunc($11, at, 'UTC')`)}
  select bucket.at, total.calls, total.errors, total.input_tokens, total.output_tokens, total.cost, times.class, times.latency, times.ttft
    from generate_series(date_trunc($11, $12::timestamptz, 'UTC'), $13::timestamptz - interval '1 microsecond',
                         make_interval(hours => $14)) as bucket(at)
    left join total on total.key = bucket.at
    left join times on times.key = bucket.at
   order by bucket.at`;

/** Every hour or day of a time range in order, those without a call included. */
export async function listUsage(
  manager: EntityManager,
  scope: OwnerScope,
  question: UsageSeriesQuestion,
): Promise<UsagePoint[]> {
  const { bucket, from, to } = question;
  const rows: PointRow[] = await manager.query(SERIES, [
    ...toFactParameters(scope, question, { byHour: bucket === 'hour' }),
    bucket,
    from,
    to,
    bucket === 'hour' ? 1 : 24,
  ]);
  return rows.map((row) => ({ at: row.at, ...toTotals(row) }));
}
