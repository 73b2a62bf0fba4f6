import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** Batches of old rows, oldest first. Ids of requests are ordered by time, so each batch is a piece of a primary key. */
const EXPIRY = /* sql */ `
create type expired_rows as (deleted integer, last_id uuid);

-- The smallest id that a request of this moment can have.
create function first_id_at(p_at timestamptz) returns uuid language sql immutable as $$
  select rpad(lpad(to_hex((extract(epoch from p_at) * 1000)::bigint), 12, '0'), 32, '0')::uuid;
$$;

-- Deletes rows of one kind that are older than a moment: 'logs', 'journal' (usage that is settled) or 'holds' (that have
-- ended, of calls; those of tasks stay with their task). Looks at the next p_limit ids after p_after, and answers how many
-- it deleted and the last id that it saw: null when there are no more. Rows of the last day stay in any case; a row that
-- somebody has locked is left for another time. One at a time.
create function expire_rows(p_kind text, p_before timestamptz, p_after uuid, p_limit integer) returns expired_rows
language plpgsql security definer set lock_timeout = '100ms' set plan_cache_mode = force_custom_plan as $$
declare
  before uuid := first_id_at(least(p_before, now() - interval '1 day'));
  ids uuid[];
  doomed uuid[];
begin
  if not pg_try_advisory_xact_lock(7204006) then
    return (0, null)::expired_rows;
  end if;
  if p_kind = 'logs' then
    ids := array(select l.request_id from request_log l
      where l.request_id > p_after and l.request_id < before order by l.request_id limit p_limit);
    doomed := array(select l.request_id from request_log l where l.request_id = any (ids) for update skip locked);
    delete from request_log l where l.request_id = any (doomed);
  elsif p_kind = 'journal' then
    ids := array(select j.request_id from usage_journal j
      where j.request_id > p_after and j.request_id < before group by 1 order by 1 limit p_limit);
    doomed := array(select distinct j.request_id from (
      select k.request_id from usage_journal k where k.request_id = any (ids) and k.posted_at is not null
        for update skip locked) j
      where not exists (select from refused_usage r where r.request_id = j.request_id));
    delete from usage_journal j where j.request_id = any (doomed) and j.posted_at is not null;
  elsif p_kind = 'holds' then
    ids := array(select h.id from hold h where h.id > p_after and h.id < before order by h.id limit p_limit);
    doomed := array(select h.id from hold h
      where h.id = any (ids) and h.state <> 'open' and not exists (select from task t where t.id = h.id)
      for update of h skip locked);
    delete from hold h where h.id = any (doomed);
  else
    raise exception 'rows of kind % do not expire', p_kind;
  end if;
  return (cardinality(doomed), case when cardinality(ids) = p_limit then ids[p_limit] end)::expired_rows;
end $$;
`;

/** Old rows are deleted: what is looked up by a call's id alone is needed for a while, not for good. */
export class Retention0013 implements Migration {
  readonly name = 'Retention1763700000013';
  readonly kind = 'expand';
  /** An index beside the traffic is built outside of any transaction. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // What an attempt that was broken off has left behind.
    await runner.query('drop index concurrently if exists idempotent_reply_by_time');
    await runner.query('create index concurrently idempotent_reply_by_time on idempotent_reply (created_at)');
    await runner.query(EXPIRY);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function expire_rows(text, timestamptz, uuid, integer)');
    await runner.query('drop function first_id_at(timestamptz)');
    await runner.query('drop type expired_rows');
    await runner.query('drop index idempotent_reply_by_time');
  }
}
