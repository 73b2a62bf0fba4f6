/** The books against themselves as `money_drift` holds them, in one snapshot, by the sums that are kept. */
export const RECENT_DRIFT = /* sql */ `
-- As task_drift, of some tasks.
create function task_drift_of(p_ids uuid[])
returns table (what text, id text, expected numeric, actual numeric) language sql stable as $$
  select 'task.charged', t.id::text, coalesce(b.total, 0), coalesce(t.charged, 0)::numeric
    from task t left join lateral (
      select -sum(e.amount) as total from entry e
      where e.request_id = t.id::text and e.task_id = t.id and e.wallet_id is not null) b on true
    where t.id = any (p_ids) and coalesce(t.charged, 0) <> coalesce(b.total, 0)
  union all
  select 'task.hold ' || t.state || '/' || h.state, t.id::text, t.amount, coalesce(h.charged, 0)
    from task t join hold h on h.id = t.id
    where t.id = any (p_ids) and (h.kind <> 'video' or h.amount <> t.amount
      or case when not is_task_end(t.state) then h.state not in ('open', 'posted')
           when t.state = 'succeeded' then h.state <> 'posted'
           else h.state = 'open' or t.charged is distinct from 0 end);
$$;

-- Every figure of wallets, tokens and holds that is not the sum it should be; of tasks those that are open, were charged
-- lately, or were found wrong by a round. Reads the entries after the sums, and the holds that are open.
create function recent_drift()
returns table (what text, id text, expected numeric, actual numeric) language plpgsql stable
set plan_cache_mode = force_custom_plan as $$
#variable_conflict use_column
declare
  base ledger_check%rowtype;
begin
  select c.* into base from ledger_check c;
  return query
  with newer as materialized (
    select e.wallet_id, e.token_id, e.task_id, sum(e.amount) as total
      from entry e where e.id > base.entry_id group by 1, 2, 3
  ), summed as materialized (
    select s.wallet_id, s.token_id, s.total from ledger_sum s where s.round = base.round
    union all
    select n.wallet_id, n.token_id, n.total from newer n
  ), booked as (
    select s.wallet_id, sum(s.total) as total from summed s where s.wallet_id is not null group by 1
  ), spent as (
    select s.token_id, -sum(s.total) as total from summed s where s.token_id is not null group by 1
  ), open_hold as materialized (
    select h.id, h.kind, h.wallet_id, h.token_id, h.amount from hold h where h.state = 'open'
  ), held_by_wallet as (
    select h.wallet_id, sum(h.amount) as total from open_hold h group by 1
  ), held_by_token as (
    select h.token_id, sum(h.amount) as total from open_hold h group by 1
  )
  select 'wallet.balance', w.id::text, coalesce(b.total, 0), w.balance::numeric
    from wallet w left join booked b on b.wallet_id = w.id where w.balance <> coalesce(b.total, 0)
  union all
  select 'wallet.held', w.id::text, coalesce(h.total, 0), w.held::numeric
    from wallet w left join held_by_wallet h on h.wallet_id = w.id where w.held <> coalesce(h.total, 0)
  union all
  select 'token.held', t.id::text, coalesce(h.total, 0), t.held::numeric
    from token t left join held_by_token h on h.token_id = t.id where t.held <> coalesce(h.total, 0)
  union all
  select 'token.used', t.id::text, coalesce(s.total, 0), t.used::numeric
    from token t left join spent s on s.token_id = t.id where t.used <> coalesce(s.total, 0)
  union all
  select 'entries', 'all accounts', 0::numeric, sum(s.total) from summed s having sum(s.total) <> 0
  union all
  select d.* from task_drift_of(array(
    select t.id from task t where t.state not in ('succeeded', 'failed', 'expired', 'cancelled')
    union select n.task_id from newer n where n.task_id is not null
    union select s.task_id from suspect_task s)) d
  union all
  select 'hold.task', h.id::text, 0::numeric, h.amount::numeric
    from open_hold h where h.kind = 'video' and not exists (select from task t where t.id = h.id);
end $$;
`;
