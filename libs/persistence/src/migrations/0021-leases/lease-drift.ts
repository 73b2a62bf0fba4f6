/** The books against themselves, with leases: held is the sum of open holds and of what leases still hold. */
export const LEASE_DRIFT = /* sql */ `
create or replace function ledger_drift()
returns table (what text, id text, expected numeric, actual numeric) language sql stable as $$
  with booked as (
    select e.wallet_id, sum(e.amount) as total from entry e where e.wallet_id is not null group by 1
  ), spent as (
    select e.token_id, -sum(e.amount) as total from entry e where e.token_id is not null group by 1
  ), held as (
    select h.wallet_id, h.token_id, h.amount from hold h where h.state = 'open'
    union all
    select l.wallet_id, l.token_id, l.amount - l.consumed from lease l where l.state in ('open', 'shrunk', 'closing')
  ), held_by_wallet as (
    select h.wallet_id, sum(h.amount) as total from held h group by 1
  ), held_by_token as (
    select h.token_id, sum(h.amount) as total from held h group by 1
  )
  select 'wallet.balance', w.id::text, coalesce(b.total, 0), w.balance
    from wallet w left join booked b on b.wallet_id = w.id where w.balance <> coalesce(b.total, 0)
  union all
  select 'wallet.held', w.id::text, coalesce(h.total, 0), w.held
    from wallet w left join held_by_wallet h on h.wallet_id = w.id where w.held <> coalesce(h.total, 0)
  union all
  select 'token.held', t.id::text, coalesce(h.total, 0), t.held
    from token t left join held_by_token h on h.token_id = t.id where t.held <> coalesce(h.total, 0)
  union all
  select 'token.used', t.id::text, coalesce(s.total, 0), t.used
    from token t left join spent s on s.token_id = t.id where t.used <> coalesce(s.total, 0)
  union all
  select 'entries', 'all accounts', 0, sum(e.amount) from entry e having sum(e.amount) <> 0;
$$;

create or replace function recent_drift()
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
  ), held as materialized (
    select h.wallet_id, h.token_id, h.amount from open_hold h
    union all
    select l.wallet_id, l.token_id, l.amount - l.consumed from lease l where l.state in ('open', 'shrunk', 'closing')
  ), held_by_wallet as (
    select h.wallet_id, sum(h.amount) as total from held h group by 1
  ), held_by_token as (
    select h.token_id, sum(h.amount) as total from held h group by 1
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
