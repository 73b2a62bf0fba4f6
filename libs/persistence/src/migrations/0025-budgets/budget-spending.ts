/** What is spent of budgets: every entry of a call, whoever books it, counts in the transaction that books it. */
export const BUDGET_SPENDING = /* sql */ `
-- Money that comes back counts against a budget only where its charge was in the same period, so that it opens no room for
-- more than the budget in another one.
create function spend_of_budgets() returns trigger language plpgsql as $$
declare
  ids uuid[];
begin
  if not exists (select from budget) then
    return null;
  end if;
  ids := array(select distinct s.id from new_rows n
    cross join lateral unnest(array[n.token_id, n.wallet_id, budget_user(n.token_id)]) s (id)
    where n.token_id is not null and n.kind in ('charge', 'late_charge', 'true_up', 'refund'));
  perform 1 from budget b where b.subject_id = any (ids) order by b.subject_id, b.period for no key update;
  if not found then
    return null;
  end if;
  with moved as materialized (
    select s.id as subject_id, n.token_id, n.request_id, n.amount
    from new_rows n cross join lateral unnest(array[n.token_id, n.wallet_id, budget_user(n.token_id)]) s (id)
    where n.token_id is not null and n.kind in ('charge', 'late_charge', 'true_up', 'refund')
  ), open_budget as materialized (
    select x.subject_id, x.period, x.ends_at > now() as is_same,
      case when x.ends_at > now() then x.spent else 0 end as spent,
      case when x.ends_at > now() then x.starts_at else budget_start(x.period, x.timezone) end as starts_at,
      case when x.ends_at > now() then x.ends_at else budget_end(x.period, x.timezone) end as ends_at
    from budget x where x.subject_id = any (ids)
  ), spending as (
    select p.subject_id, p.period, sum(-m.amount) as amount
    from moved m join open_budget p on p.subject_id = m.subject_id
    where m.amount < 0 or exists (select from entry e where e.request_id = m.request_id
      and e.kind in ('charge', 'late_charge') and e.token_id = m.token_id and e.created_at >= p.starts_at)
    group by 1, 2
  ), counted as (
    select p.*, greatest(0, p.spent + coalesce(s.amount, 0))::bigint as spent_now
    from open_budget p left join spending s on (s.subject_id, s.period) = (p.subject_id, p.period)
  )
  update budget b set spent = a.spent_now, starts_at = a.starts_at, ends_at = a.ends_at,
      reached = greatest(budget_reached(a.spent_now, b.amount), case when a.is_same then b.reached else 0 end),
      told = case when a.is_same then b.told else 0 end
    from counted a where (b.subject_id, b.period) = (a.subject_id, a.period);
  return null;
end $$;
create trigger entry_spends_budgets after insert on entry referencing new table as new_rows
  for each statement execute function spend_of_budgets();

-- The budgets of which 80 or 100 per cent have been reached since this was asked last.
create function budgets_reached() returns table (subject text, subject_id uuid, period text, reached smallint, amount bigint, spent bigint)
language sql as $$
  with due as (
    select b.subject_id, b.period from budget b where b.reached > b.told and b.ends_at > now()
    order by b.subject_id, b.period for no key update skip locked
  )
  update budget b set told = b.reached from due d where (b.subject_id, b.period) = (d.subject_id, d.period)
  returning b.subject, b.subject_id, b.period, b.reached, b.amount, b.spent;
$$;
`;
