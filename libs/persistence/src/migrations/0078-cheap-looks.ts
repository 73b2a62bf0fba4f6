import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** As before, and as good as free where there is nothing to do: most of the time, every few seconds. */
const SWEEP = /* sql */ `
create or replace function sweep(p_limit integer) returns setof settled language plpgsql as $$
declare
  due settlement[];
  swept settled[];
begin
  if not pg_try_advisory_xact_lock(7204002) then
    return;
  end if;
  due := array(
    select (h.id, case when h.checkpoint is null then 'expire' else 'usage' end,
      (h.checkpoint ->> 'charge')::bigint, h.checkpoint -> 'usage', true)::settlement
    from hold h left join plane_instance p on p.instance = h.owner_instance
    where h.state = 'open' and h.kind = 'request'
      and (
        (p.epoch <> h.owner_epoch and (h.owner_epoch = p.previous_epoch or h.created_at < p.started_at))
        or (p.epoch = h.owner_epoch and h.created_at <= p.ended_at)
        or (h.expires_at < now() and (p.instance is null or p.seen_at < now() - interval '60 seconds'))
        or h.expires_at < now() - interval '60 seconds'
      )
      and not exists (select from usage_journal j where j.request_id = h.id and j.posted_at is null)
      and not exists (select from refused_usage r where r.request_id = h.id)
    order by h.expires_at limit p_limit);
  if cardinality(due) = 0 then
    return;
  end if;
  swept := array(select s from settle(due) s where s.outcome in ('posted', 'expired'));
  perform explain_lost_calls(array(select request_id from unnest(swept)));
  return query select * from unnest(swept);
end $$;
`;

/** In PL/pgSQL, which keeps the plan: planning took ten times as long as looking. */
const DUE_WORK = /* sql */ `
create function due_work(out tasks boolean, out webhooks boolean, out batches boolean, out upstream_batches boolean)
language plpgsql as $$
begin
  tasks := exists (
    select from (select t.id from task t
      where t.state not in ('succeeded', 'failed', 'expired', 'cancelled') and t.next_run_at <= now()
      order by t.next_run_at limit 1) due);
  webhooks := exists (select from webhook_delivery d where d.next_attempt_at <= now());
  batches := exists (select from batch b where b.ended_at is null);
  upstream_batches := exists (select from upstream_batch u where u.ended_at is null and u.next_run_at <= now());
end $$;
`;

export class CheapLooks0078 implements Migration {
  readonly name = 'CheapLooks1763700000078';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SWEEP);
    await runner.query(DUE_WORK);
  }

  /** The sweep stays: it finds what the one before it finds. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function due_work()');
  }
}
