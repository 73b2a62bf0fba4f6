/** What may be spent in a day, a week or a month, and what was. */
export const BUDGET_TABLES = /* sql */ `
-- {day, week, month, timezone}: decimal USD; what is absent is not limited.
alter table token add column budgets jsonb not null default '{}';
alter table wallet add column budgets jsonb not null default '{}';
alter table app_user add column budgets jsonb not null default '{}';

-- One budget and its current period, by the calendar of a time zone; a week begins on Monday. What is held counts in the
-- period that it is settled in, so a period begins with nothing spent. reached: 80 or 100 per cent are spent, or a call was
-- refused for it (100); told: what of that was told to the operator.
create table budget (
  subject text not null check (subject in ('token', 'wallet', 'user')),
  subject_id uuid not null,
  period text not null check (period in ('day', 'week', 'month')),
  amount bigint not null check (amount >= 0),
  timezone text not null,
  starts_at timestamptz not null,
  ends_at timestamptz not null,
  spent bigint not null default 0 check (spent >= 0),
  reached smallint not null default 0,
  told smallint not null default 0,
  primary key (subject_id, period)
);

create function budget_start(p_period text, p_zone text) returns timestamptz language sql stable as $$
  select date_trunc(p_period, now(), p_zone);
$$;

create function budget_end(p_period text, p_zone text) returns timestamptz language sql stable as $$
  select (date_trunc(p_period, now() at time zone p_zone) + ('1 ' || p_period)::interval) at time zone p_zone;
$$;

create function budget_reached(p_spent bigint, p_amount bigint) returns smallint language sql immutable as $$
  select case when p_spent >= p_amount then 100 when p_spent::numeric * 5 >= p_amount::numeric * 4 then 80 else 0 end::smallint;
$$;

-- Whose calls belong to a token's wallet, or to its user where the wallet is the operator's.
create function budget_user(p_token uuid) returns uuid language sql stable as $$
  select coalesce(w.user_id, t.user_id) from token t join wallet w on w.id = t.wallet_id where t.id = p_token;
$$;
`;

/** Budgets as they are configured become rows that count. */
export const BUDGET_SETTINGS = /* sql */ `
-- Keeps what was spent in the current period; a new budget counts from now on. Leases that were granted under the budgets
-- before are recalled.
create function set_budgets() returns trigger language plpgsql security definer as $$
declare
  zone text := coalesce(new.budgets ->> 'timezone', 'UTC');
begin
  delete from budget b where b.subject_id = new.id and not new.budgets ? b.period;
  insert into budget as b (subject, subject_id, period, amount, timezone, starts_at, ends_at)
    select tg_argv[0], new.id, p.key, (p.value::numeric * 1000000000)::bigint, zone,
      budget_start(p.key, zone), budget_end(p.key, zone)
    from jsonb_each_text(new.budgets) p where p.key in ('day', 'week', 'month') order by p.key
    on conflict (subject_id, period) do update set amount = excluded.amount, timezone = excluded.timezone,
      starts_at = excluded.starts_at, ends_at = excluded.ends_at,
      spent = case when b.ends_at > now() then b.spent else 0 end,
      reached = budget_reached(case when b.ends_at > now() then b.spent else 0 end, excluded.amount),
      told = least(b.told, budget_reached(case when b.ends_at > now() then b.spent else 0 end, excluded.amount));
  if tg_argv[0] = 'token' then
    perform pg_notify('lease_recalled', t.wallet_id::text) from token t where t.id = new.id;
  elsif tg_argv[0] = 'wallet' then
    perform pg_notify('lease_recalled', new.id::text);
  else
    perform pg_notify('lease_recalled', w.id::text) from wallet w
      where w.user_id = new.id or w.id in (select t.wallet_id from token t where t.user_id = new.id);
  end if;
  return null;
end $$;

create trigger token_budgets_set after update of budgets on token
  for each row when (old.budgets is distinct from new.budgets) execute function set_budgets('token');
create trigger token_budgets_made after insert on token
  for each row when (new.budgets <> '{}') execute function set_budgets('token');
create trigger wallet_budgets_set after update of budgets on wallet
  for each row when (old.budgets is distinct from new.budgets) execute function set_budgets('wallet');
create trigger user_budgets_set after update of budgets on app_user
  for each row when (old.budgets is distinct from new.budgets) execute function set_budgets('user');

create function drop_budgets() returns trigger language plpgsql security definer as $$
begin
  delete from budget b where b.subject_id = old.id;
  return null;
end $$;
create trigger token_budgets_dropped after update of deleted_at on token
  for each row when (old.deleted_at is null and new.deleted_at is not null) execute function drop_budgets();
create trigger user_budgets_dropped after delete on app_user for each row execute function drop_budgets();
`;
