import { type AttemptFigures, toStorableJson } from '@mg/contract';
import type { DataSource } from 'typeorm';

/** Spans of time that figures are kept by. */
export const SPAN_SECONDS = 600;
const KEPT_HOURS = 25;

/** Adds figures to those of the present span, in one round trip; what several gateways write adds up. */
export async function writeAttempts(database: DataSource, figures: readonly AttemptFigures[]): Promise<void> {
  await database.query(
    `insert into attempt_figures as f (channel_id, model, key, starts_at, served, failed, whole_ms, first_ms, failed_at,
            failed_status, failed_reason)
     select channel_id, model, key, to_timestamp(floor(extract(epoch from now()) / $2::integer) * $2::integer), served, failed,
            whole_ms, first_ms, failed_at, failed_status, failed_reason
       from jsonb_to_recordset($1::jsonb)
         as r(channel_id uuid, model text, key text, served bigint, failed bigint, whole_ms bigint[], first_ms bigint[],
              failed_at timestamptz, failed_status integer, failed_reason text)
      order by channel_id, model, key
     on conflict (starts_at, channel_id, model, key) do update set
       served = f.served + excluded.served,
       failed = f.failed + excluded.failed,
       whole_ms = array(select coalesce(a, 0) + coalesce(b, 0)
                          from unnest(f.whole_ms, excluded.whole_ms) with ordinality as t(a, b, place) order by place),
       first_ms = array(select coalesce(a, 0) + coalesce(b, 0)
                          from unnest(f.first_ms, excluded.first_ms) with ordinality as t(a, b, place) order by place),
       failed_at = coalesce(excluded.failed_at, f.failed_at),
       failed_status = case when excluded.failed_at is null then f.failed_status else excluded.failed_status end,
       failed_reason = coalesce(excluded.failed_reason, f.failed_reason)`,
    [toStorableJson(figures.map(toRow)), SPAN_SECONDS],
  );
}

/** Deletes what is older than a day. */
export async function expireAttempts(database: DataSource): Promise<void> {
  await database.query(`delete from attempt_figures where starts_at < now() - make_interval(hours => $1)`, [
    KEPT_HOURS,
  ]);
}

function toRow({ lastFailure, ...figures }: AttemptFigures): Record<string, unknown> {
  return {
    channel_id: figures.channelId,
    model: figures.model,
    key: figures.key,
    served: figures.served,
    failed: figures.failed,
    whole_ms: figures.wholeMs,
    first_ms: figures.firstMs,
    failed_at: lastFailure?.at,
    failed_status: lastFailure?.status,
    failed_reason: lastFailure?.reason,
  };
}
