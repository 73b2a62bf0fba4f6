/** Posting in one statement, so that a process that stops in the middle of it holds nothing, and failures told apart. */
export const POST_USAGE = /* sql */ `
-- When a row that could not be posted for a passing reason is tried again.
alter table usage_journal add column retry_at timestamptz;

-- Usage that Postgres refuses for what it is. Its hold stays open until an operator has it posted again.
create table refused_usage (
  request_id uuid primary key,
  failure text not null,
  refused_at timestamptz not null default now()
);
insert into refused_usage (request_id, failure)
  select distinct on (h.id) h.id, j.failure
  from hold h join usage_journal j on j.request_id = h.id
  where h.state = 'open' and j.failure is not null;

-- Has rows tried again later: after as long as they wait already, between a second and half a minute.
create function postpone_usage(p_ids uuid[]) returns void language sql as $$
  update usage_journal j
    set retry_at = now() + least(greatest((now() - j.created_at) / 2, interval '1 second'), interval '30 seconds')
    where j.request_id = any (p_ids) and j.posted_at is null;
$$;

create type usage_item as (
  request_id uuid, seq integer, phase text, charge bigint, usage jsonb, estimated boolean, failure text,
  price_version_id uuid
);

-- Posts journal rows that the caller has read and priced: {request_id, seq, phase, charge, usage, estimated, failure,
-- price_version_id}. Rows that are posted already, or are priced by another version than their hold's, are left out.
-- p_wait_rows: waits for rows that another plane posts, instead of leaving them to it. p_wait_wallets: waits for wallets,
-- a moment and no longer; without it the rows of a locked wallet are answered busy and stay as they are.
-- Outcomes beside those of settle: busy; postponed: failed for a passing reason, to be tried again at retry_at; failed:
-- refused for what the row is, which is written down in refused_usage.
create function post_usage(p_items jsonb, p_wait_rows boolean, p_wait_wallets boolean)
returns table (request_id uuid, outcome text, charged bigint, failure text) language plpgsql
set enable_seqscan = off set lock_timeout = '400ms' as $$
#variable_conflict use_column
declare
  items usage_item[];
  rows settlement[];
  one settlement;
  busy uuid[] := '{}';
  postponed uuid[] := '{}';
begin
  if p_wait_rows then
    perform set_config('lock_timeout', '1s', true);
    items := array(select i from jsonb_populate_recordset(null::usage_item, p_items) i
      join usage_journal j on (j.request_id, j.seq, j.phase) = (i.request_id, i.seq, i.phase)
      left join hold h on h.id = i.request_id
      where j.posted_at is null and h.price_version_id is not distinct from i.price_version_id
      order by i.request_id, i.seq, i.phase for update of j);
    perform set_config('lock_timeout', '400ms', true);
  else
    items := array(select i from jsonb_populate_recordset(null::usage_item, p_items) i
      join usage_journal j on (j.request_id, j.seq, j.phase) = (i.request_id, i.seq, i.phase)
      left join hold h on h.id = i.request_id
      where j.posted_at is null and h.price_version_id is not distinct from i.price_version_id
      order by i.request_id, i.seq, i.phase for update of j skip locked);
  end if;
  if not p_wait_wallets then
    busy := array(select distinct h.wallet_id from hold h
      where h.id = any (array(select i.request_id from unnest(items) i)));
    busy := array(select unnest(busy) except select w.id from (
      select w.id from wallet w where w.id = any (busy) order by w.id for no key update skip locked) w);
    busy := array(select h.id from hold h
      where h.id = any (array(select i.request_id from unnest(items) i)) and h.wallet_id = any (busy));
    return query select distinct b, 'busy', null::bigint, null::text from unnest(busy) b;
    items := array(select i from unnest(items) i where i.request_id <> all (busy));
  end if;

  -- A request settles once, by the most that is known: usage over cancel over checkpoint, counted over estimated, late over
  -- early. Ordered by wallet, so that locks are taken in the one order also where rows are posted one by one.
  rows := array(
    select (d.request_id, d.phase, d.charge, d.usage, d.estimated)::settlement from (
      select distinct on (i.request_id) i.* from unnest(items) i where i.failure is null
      order by i.request_id, case i.phase when 'usage' then 0 when 'cancel' then 1 else 2 end, i.estimated, i.seq desc
    ) d left join hold h on h.id = d.request_id order by h.wallet_id, d.request_id);
  begin
    return query select s.request_id, s.outcome, s.charged, null::text from settle(rows) s;
  exception
    when deadlock_detected or serialization_failure then
      raise;
    when others then
      if sqlstate = '55P03' and p_wait_wallets then
        postponed := array(select r.request_id from unnest(rows) r);
        return query select r.request_id, 'postponed', null::bigint, sqlerrm from unnest(rows) r;
        rows := '{}';
      end if;
      perform set_config('lock_timeout', '2ms', true);
      foreach one in array rows loop
        begin
          return query select s.request_id, s.outcome, s.charged, null::text from settle(array[one]) s;
        exception
          when deadlock_detected or serialization_failure then
            raise;
          when others then
            if is_passing_failure(sqlstate) then
              postponed := postponed || one.request_id;
              return query select one.request_id, 'postponed', null::bigint, sqlerrm;
            else
              return query select one.request_id, 'failed', null::bigint, sqlerrm;
              insert into refused_usage (request_id, failure) values (one.request_id, sqlerrm) on conflict do nothing;
            end if;
        end;
      end loop;
      perform postpone_usage(postponed);
  end;
  insert into refused_usage (request_id, failure)
    select i.request_id, i.failure from unnest(items) i where i.failure is not null on conflict do nothing;
  return query select i.request_id, 'failed', null::bigint, i.failure from unnest(items) i where i.failure is not null;
  update usage_journal j set posted_at = now(), failure = r.failure
    from unnest(items) i left join refused_usage r on r.request_id = i.request_id
    where (j.request_id, j.seq, j.phase) = (i.request_id, i.seq, i.phase) and j.posted_at is null
      and i.request_id <> all (postponed);
end $$;

-- An operator's verb: lets usage that was refused be posted again, of one request or (null) of all. Answers how many
-- requests wait again. What was the matter has to be put right before.
create function usage_post_again(p_request uuid default null) returns bigint language plpgsql as $$
declare
  ids uuid[];
begin
  with again as (
    delete from refused_usage r where p_request is null or r.request_id = p_request returning r.request_id
  )
  select array_agg(a.request_id) into ids from again a;
  if p_request is not null then
    ids := array[p_request];
  end if;
  update usage_journal j set posted_at = null, failure = null, retry_at = null
    where j.request_id = any (ids) and j.failure is not null;
  return (select count(distinct j.request_id) from usage_journal j where j.request_id = any (ids) and j.posted_at is null);
end $$;
`;
