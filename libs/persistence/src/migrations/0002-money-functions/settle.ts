/**
 * The end of a hold, whoever brings it about: the journal, a cancellation or the sweeper. All rows of a batch move in
 * one statement after all locks are held, wallets first, each in the order of ids.
 *
 * Outcomes: `posted` charged and the rest returned; `voided` released on request; `expired` released by the sweeper;
 * `late_charge` charged after release; `true_up` an estimate corrected by the difference; `checkpointed` noted only;
 * `repeated` known already; `mismatched` another charge than the final one, refused; `unknown` no such hold.
 *
 * Every row is found by its key: the conditions on id lists and the ban on table scans keep the plan the same whether
 * tables are new and tiny when it is made or large when it is used.
 */
export const SETTLE = /* sql */ `
create type settlement as (request_id uuid, phase text, charge bigint, usage jsonb, estimated boolean);
create type settled as (request_id uuid, outcome text, charged bigint);

create function settle(p_rows settlement[]) returns setof settled language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
  ids uuid[];
  wallets uuid[];
  tokens uuid[];
begin
  -- One snapshot decides which holds are dealt with: a hold that appears later has its wallet not locked here.
  select array_agg(h.id), array_agg(distinct h.wallet_id), array_agg(distinct h.token_id) into ids, wallets, tokens
    from hold h where h.id = any (array(select r.request_id from unnest(p_rows) r));
  perform 1 from wallet w where w.id = any (wallets) order by w.id for no key update;
  perform 1 from token t where t.id = any (tokens) order by t.id for no key update;
  perform 1 from hold h where h.id = any (ids) order by h.id for no key update;

  return query
  with judged as materialized (
    select r.request_id, r.phase, r.charge, r.usage, r.estimated,
      h.wallet_id, h.token_id, h.amount, h.charged as charged_before,
      case
        when h.id is null then 'unknown'
        when h.state = 'open' then
          case r.phase when 'usage' then 'posted' when 'cancel' then 'voided' when 'expire' then 'expired'
            else 'checkpointed' end
        when r.phase <> 'usage' then 'repeated'
        when h.charged is null then 'late_charge'
        when h.charged = r.charge and (r.estimated or not h.estimated) then 'repeated'
        when h.estimated and not exists (
          select from entry e where e.request_id = r.request_id::text and e.kind = 'true_up') then 'true_up'
        else 'mismatched'
      end as outcome
    from unnest(p_rows) r left join hold h on h.id = r.request_id and h.id = any (ids)
  ), moved as materialized (
    select j.*, gen_random_uuid() as tx_id,
      case j.outcome when 'posted' then j.charge when 'late_charge' then j.charge
        when 'true_up' then j.charge - j.charged_before else 0 end as taken,
      case when j.outcome in ('posted', 'voided', 'expired') then j.amount else 0 end as released
    from judged j where j.outcome in ('posted', 'voided', 'expired', 'late_charge', 'true_up')
  ), resolved as (
    update hold h set
      state = case when m.outcome in ('posted', 'voided', 'expired') then m.outcome else h.state end,
      charged = case when m.phase = 'usage' then m.charge else h.charged end,
      usage = case when m.phase = 'usage' then m.usage else h.usage end,
      estimated = case when m.phase = 'usage' then m.estimated else h.estimated end,
      resolved_at = coalesce(h.resolved_at, now())
    from moved m where h.id = m.request_id and h.id = any (ids)
  ), noted as (
    update hold h set checkpoint = jsonb_build_object('charge', j.charge::text, 'usage', j.usage)
    from judged j where h.id = j.request_id and h.id = any (ids) and j.outcome = 'checkpointed'
  ), wallet_after as (
    update wallet w set balance = w.balance - s.taken, held = w.held - s.released
    from (select m.wallet_id, sum(m.taken) as taken, sum(m.released) as released from moved m group by 1) s
    where w.id = s.wallet_id and w.id = any (wallets)
    returning w.id, w.balance
  ), token_after as (
    update token t set used = t.used + s.taken, held = t.held - s.released
    from (select m.token_id, sum(m.taken) as taken, sum(m.released) as released from moved m group by 1) s
    where t.id = s.token_id and t.id = any (tokens)
  ), leg as (
    select m.request_id, m.tx_id, m.wallet_id, m.token_id, m.taken,
      case m.outcome when 'posted' then 'charge' else m.outcome end as kind,
      w.balance + coalesce(sum(m.taken) over (partition by m.wallet_id order by m.request_id
        rows between 1 following and unbounded following), 0) as balance_after
    from moved m join wallet_after w on w.id = m.wallet_id
  ), booked as (
    insert into entry (tx_id, account, wallet_id, token_id, amount, balance_after, request_id, kind)
    select tx_id, account, wallet_id, token_id, amount, balance_after, request_id::text, kind from (
      select tx_id, 'wallet:' || wallet_id as account, wallet_id, token_id, -taken as amount, balance_after, request_id, kind
        from leg where taken <> 0
      union all
      select tx_id, 'system:revenue', null, null, taken, null, request_id, kind from leg where taken <> 0
    ) both_legs order by request_id
  ), explained as (
    -- The statement's line of a call whose gateway was lost follows what is learnt later.
    update request_log l set cost = m.charge, usage = m.usage, estimated = m.estimated
    from moved m
    where l.request_id = m.request_id and l.request_id = any (ids) and l.reason = 'gateway_lost' and m.outcome in ('late_charge', 'true_up')
  )
  select j.request_id, j.outcome, case when j.outcome in ('posted', 'late_charge', 'true_up') then j.charge end
  from judged j;
end $$;

create function hold_void(p_id uuid) returns text language sql as $$
  select outcome from settle(array[(p_id, 'cancel', null, null, false)::settlement]);
$$;

alter table usage_journal add column failure text;

-- Posts journal rows that the caller has priced: {request_id, seq, phase, charge, usage, estimated, failure}. Every row
-- is done with afterwards, whatever became of it: one that cannot be posted keeps the reason and is not tried again.
create function post_batch(p_items jsonb)
returns table (request_id uuid, outcome text, charged bigint, failure text) language plpgsql set enable_seqscan = off as $$
#variable_conflict use_column
declare
  rows settlement[];
  one settlement;
begin
  -- A request settles once, by the most that is known: usage over cancel over checkpoint, counted over estimated, late over early.
  rows := array(
    select (d.request_id, d.phase, d.charge, d.usage, d.estimated)::settlement from (
      select distinct on (i.request_id) i.*
      from jsonb_to_recordset(p_items) as i
        (request_id uuid, seq integer, phase text, charge bigint, usage jsonb, estimated boolean, failure text)
      where i.failure is null
      order by i.request_id, case i.phase when 'usage' then 0 when 'cancel' then 1 else 2 end, i.estimated, i.seq desc
    ) d);
  begin
    return query select s.request_id, s.outcome, s.charged, null::text from settle(rows) s;
  exception
    when deadlock_detected or serialization_failure or lock_not_available then
      raise;
    when others then
      foreach one in array rows loop
        begin
          return query select s.request_id, s.outcome, s.charged, null::text from settle(array[one]) s;
        exception
          when deadlock_detected or serialization_failure or lock_not_available then
            raise;
          when others then
            return query select one.request_id, 'failed', null::bigint, sqlerrm;
            update usage_journal j set failure = sqlerrm where j.request_id = one.request_id and j.posted_at is null;
        end;
      end loop;
  end;
  return query select i.request_id, 'failed', null::bigint, i.failure
    from jsonb_to_recordset(p_items) as i (request_id uuid, failure text) where i.failure is not null;
  update usage_journal j set posted_at = now(), failure = coalesce(i.failure, j.failure)
    from jsonb_to_recordset(p_items) as i (request_id uuid, seq integer, phase text, failure text)
    where (j.request_id, j.seq, j.phase) = (i.request_id, i.seq, i.phase) and j.posted_at is null;
end $$;
`;
