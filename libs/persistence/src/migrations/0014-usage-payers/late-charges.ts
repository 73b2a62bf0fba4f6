/**
 * Usage whose hold is gone, as after a failover to a standby that did not have it yet: the row itself says who pays, so the
 * call is charged late instead of not at all.
 */
export const LATE_CHARGES = /* sql */ `
-- Who pays for the usage, and at which price. Null in rows that charge nothing, and in those of an earlier version.
alter table usage_journal add column wallet_id uuid, add column token_id uuid, add column price_version_id uuid;

-- Writes the hold of usage that has none, from the payer that the usage names: expired, with nothing held, as a hold is
-- whose usage comes after its end. From then on the call is charged like any other that is late, and once. The wallet is
-- locked first, as everywhere; p_wait: waited for, instead of failing with 55P03.
create function restore_hold(p_request uuid, p_wait boolean) returns void language plpgsql security definer as $$
declare
  payers uuid[] := array(select j.wallet_id from usage_journal j where j.request_id = p_request and j.phase = 'usage');
begin
  if p_wait then
    perform 1 from wallet w where w.id = any (payers) order by w.id for no key update;
  else
    perform 1 from wallet w where w.id = any (payers) order by w.id for no key update nowait;
  end if;
  insert into hold (id, kind, wallet_id, token_id, model_slug, price_version_id, amount, state, owner_instance, owner_epoch,
      expires_at, resolved_at)
    select j.request_id, 'request', t.wallet_id, t.id, p.model_slug, p.id, 0, 'expired', 'unknown', 'unknown', now(), now()
    from usage_journal j
      join token t on t.id = j.token_id and t.wallet_id = j.wallet_id
      join price_version p on p.id = j.price_version_id
    where j.request_id = p_request and j.phase = 'usage'
    order by j.estimated, j.seq desc limit 1
    on conflict do nothing;
  if not exists (select from hold h where h.id = p_request) then
    raise exception 'no hold, and no wallet, token and price that go together in the row';
  end if;
  -- The sums of usage took the cost of a call without a hold from the log; from now on they take it from the ledger.
  insert into usage_change (request_id, cost)
    select l.request_id, -l.cost from request_log l where l.request_id = p_request and l.cost <> 0;
end $$;

-- Posts journal rows that the caller has read and priced: {request_id, seq, phase, charge, usage, estimated, failure,
-- price_version_id}. Rows that are posted already, or are priced by another version than their hold's (or, without a
-- hold, their own), are left out. Usage without a hold is charged late to the payer that its row names.
-- p_wait_rows: waits for rows that another plane posts, instead of leaving them to it. p_wait_wallets: waits for wallets,
-- a moment and no longer; without it the rows of a locked wallet are answered busy and stay as they are.
-- Outcomes beside those of settle: busy; postponed: failed for a passing reason, to be tried again at retry_at; failed:
-- refused for what the row is, which is written down in refused_usage.
create or replace function post_usage(p_items jsonb, p_wait_rows boolean, p_wait_wallets boolean)
returns table (request_id uuid, outcome text, charged bigint, failure text) language plpgsql
set enable_seqscan = off set lock_timeout = '400ms' as $$
#variable_conflict use_column
declare
  items usage_item[];
  rows settlement[];
  one settlement;
  busy uuid[] := '{}';
  postponed uuid[] := '{}';
  lost uuid;
  reason text;
begin
  if p_wait_rows then
    perform set_config('lock_timeout', '1s', true);
    items := array(select i from jsonb_populate_recordset(null::usage_item, p_items) i
      join usage_journal j on (j.request_id, j.seq, j.phase) = (i.request_id, i.seq, i.phase)
      left join hold h on h.id = i.request_id
      left join price_version p on p.id = coalesce(h.price_version_id, j.price_version_id)
      where j.posted_at is null and p.id is not distinct from i.price_version_id
      order by i.request_id, i.seq, i.phase for update of j);
    perform set_config('lock_timeout', '400ms', true);
  else
    items := array(select i from jsonb_populate_recordset(null::usage_item, p_items) i
      join usage_journal j on (j.request_id, j.seq, j.phase) = (i.request_id, i.seq, i.phase)
      left join hold h on h.id = i.request_id
      left join price_version p on p.id = coalesce(h.price_version_id, j.price_version_id)
      where j.posted_at is null and p.id is not distinct from i.price_version_id
      order by i.request_id, i.seq, i.phase for update of j skip locked);
  end if;
  foreach lost in array array(select distinct i.request_id from unnest(items) i
    where i.phase = 'usage' and i.failure is null and not exists (select from hold h where h.id = i.request_id)) loop
    begin
      perform restore_hold(lost, p_wait_wallets);
    exception
      when deadlock_detected or serialization_failure then
        raise;
      when others then
        reason := sqlerrm;
        if sqlstate = '55P03' and not p_wait_wallets then
          return query select lost, 'busy', null::bigint, null::text;
          items := array(select i from unnest(items) i where i.request_id <> lost);
        elsif is_passing_failure(sqlstate) then
          perform postpone_usage(array[lost]);
          return query select lost, 'postponed', null::bigint, reason;
          items := array(select i from unnest(items) i where i.request_id <> lost);
        else
          items := array(select (i.request_id, i.seq, i.phase, i.charge, i.usage, i.estimated,
            case when i.request_id = lost then reason else i.failure end, i.price_version_id)::usage_item
            from unnest(items) i);
        end if;
    end;
  end loop;
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
`;
