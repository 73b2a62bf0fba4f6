import type { EntityManager } from 'typeorm';

/** Attempts at a channel. What the provider refuses as the caller's fault, or the caller leaves, is neither served nor failed. */
export interface AttemptCounts {
  readonly served: number;
  readonly failed: number;
}

export interface ChannelAttempts {
  readonly hour: AttemptCounts;
  readonly day: AttemptCounts;
  readonly lastFailure:
    | { readonly at: Date; readonly status: number | null; readonly reason: string }
    | undefined;
}

interface AttemptsRow {
  readonly channel: string;
  readonly served_hour: number;
  readonly failed_hour: number;
  readonly served_day: number;
  readonly failed_day: number;
  readonly last_failure: { at: string; status: number | null; reason: string } | null;
}

/** As many of the newest calls are read: what a channel is like now, at a cost that does not grow with the traffic. */
const MOST_CALLS_READ = 5_000;

/** Statuses by which a provider refuses our account or our pace, not the caller's request. */
const OURS = '401, 402, 403, 404, 408, 429';

/** Attempts that were planned but not made say so in their reason. */
const FACTS = `
  select call.created_at as at, attempt->>'channel' as channel, (attempt->>'status')::integer as status,
         attempt->>'reason' as reason, call.created_at >= now() - interval '1 hour' as in_hour,
         attempt->>'outcome' = 'served' as served,
         attempt->>'outcome' = 'failed' and attempt->>'reason' not like 'not asked:%'
           and (attempt->>'status' is null or (attempt->>'status')::integer >= 500
                or (attempt->>'status')::integer in (${OURS})) as failed
    from (select created_at, attempts from request_log
           where request_id >= $1 and created_at >= now() - interval '1 day'
           order by request_id desc limit $2) as call,
         jsonb_array_elements(call.attempts) as attempt`;

const BY_CHANNEL = `
  select channel,
         count(*) filter (where served and in_hour)::integer as served_hour,
         count(*) filter (where failed and in_hour)::integer as failed_hour,
         count(*) filter (where served)::integer as served_day,
         count(*) filter (where failed)::integer as failed_day,
         (array_agg(jsonb_build_object('at', at, 'status', status, 'reason', reason) order by at desc)
           filter (where failed))[1] as last_failure
    from (${FACTS}) as fact group by channel`;

/** Calls may be logged later than their ids say. */
const DAY_OF_IDS_MS = 25 * 60 * 60_000;

/** What channels, by name, made of the attempts of the newest calls of the last 24 hours. */
export async function countChannelAttempts(manager: EntityManager): Promise<Map<string, ChannelAttempts>> {
  const firstId = (Date.now() - DAY_OF_IDS_MS).toString(16).padStart(12, '0');
  const rows: AttemptsRow[] = await manager.query(BY_CHANNEL, [
    `${firstId.slice(0, 8)}-${firstId.slice(8)}-0000-0000-000000000000`,
    MOST_CALLS_READ,
  ]);
  return new Map(
    rows.map((row) => [
      row.channel,
      {
        hour: { served: row.served_hour, failed: row.failed_hour },
        day: { served: row.served_day, failed: row.failed_day },
        lastFailure: row.last_failure
          ? { ...row.last_failure, at: new Date(row.last_failure.at) }
          : undefined,
      },
    ]),
  );
}
