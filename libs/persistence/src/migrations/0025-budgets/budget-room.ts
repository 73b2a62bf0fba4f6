/** What budgets leave for a call, and the functions of admission that ask for it. */
export const BUDGET_ROOM = /* sql */ `
create type budget_left as (subject text, subject_id uuid, period text, room bigint, seconds bigint);

-- What is held for calls and leases of whom a budget is for.
create function budget_held(p_subject text, p_id uuid) returns bigint language plpgsql as $$
begin
  if p_subject = 'token' then
    return (select t.held from token t where t.id = p_id);
  elsif p_subject = 'wallet' then
    return (select w.held from wallet w where w.id = p_id);
  end if;
  return (select coalesce(sum(w.held), 0) from wallet w where w.user_id = p_id)
    + (select coalesce(sum(t.held), 0) from token t join wallet w on w.id = t.wallet_id
        where t.user_id = p_id and w.user_id is null);
end $$;

-- What the budget leaves that leaves the least, for calls of a token: its own, its wallet's and their user's; null where
-- there is none. The caller has locked wallet and token. Whoever holds money for calls under a budget holds its lock, so
-- what is held is read after it was taken.
create function budget_room(p_wallet uuid, p_token uuid) returns budget_left language plpgsql as $$
declare
  owner uuid;
  tightest budget_left;
begin
  if not exists (select from budget) then
    return null;
  end if;
  owner := budget_user(p_token);
  perform 1 from budget b where b.subject_id in (p_token, p_wallet, owner) order by b.subject_id, b.period for no key update;
  if not found then
    return null;
  end if;
  update budget b set spent = 0, reached = 0, told = 0, starts_at = budget_start(b.period, b.timezone),
      ends_at = budget_end(b.period, b.timezone)
    where b.subject_id in (p_token, p_wallet, owner) and b.ends_at <= now();
  select b.subject, b.subject_id, b.period,
      b.amount - b.spent - budget_held(b.subject, b.subject_id),
      ceil(extract(epoch from b.ends_at - now()))::bigint
    into tightest
    from budget b where b.subject_id in (p_token, p_wallet, owner) order by 4 limit 1;
  return tightest;
end $$;

-- As before, with budgets: funds, the token's quota and the tightest budget have to cover a hold. Where there are budgets
-- what is held is written hold by hold, since the next one reads it.
create or replace function hold_open(p_questions hold_question[]) returns hold_answer[] language plpgsql as $$
declare
  answers hold_answer[] := '{}';
  opened hold_question[] := '{}';
  wallets uuid[] := '{}';
  tokens uuid[] := '{}';
  q hold_question;
  decision record;
  wallet_seen uuid;
  token_seen uuid;
  token_known boolean;
  funds bigint;
  quota_left bigint;
  has_budgets boolean := exists (select from budget);
  budget_of budget_left;
begin
  if has_budgets then
    -- All locks of a batch in the one order: budgets of a user are shared by their wallets.
    perform 1 from wallet w where w.id = any (array(select x.wallet_id from unnest(p_questions) x)) order by w.id for no key update;
    perform 1 from token t where t.id = any (array(select x.token_id from unnest(p_questions) x)) order by t.id for no key update;
    perform 1 from budget b
      where b.subject_id = any (array(select s.id from unnest(p_questions) x
        cross join lateral unnest(array[x.token_id, x.wallet_id, budget_user(x.token_id)]) s (id)))
      order by b.subject_id, b.period for no key update;
  end if;
  foreach q in array p_questions loop
    if wallet_seen is distinct from q.wallet_id then
      select w.balance - w.held + w.credit_limit into funds from wallet w where w.id = q.wallet_id for no key update;
      wallets := wallets || q.wallet_id;
    end if;
    if (wallet_seen, token_seen) is distinct from (q.wallet_id, q.token_id) then
      select t.spending_quota - t.used - t.held into quota_left
        from token t where t.id = q.token_id and t.wallet_id = q.wallet_id for no key update;
      token_known := found;
      tokens := tokens || q.token_id;
    end if;
    wallet_seen := q.wallet_id;
    token_seen := q.token_id;
    if funds is null or not token_known then
      answers := answers || (q.place, null, 'unknown_payer', null, null)::hold_answer;
      continue;
    end if;
    if has_budgets then
      budget_of := budget_room(q.wallet_id, q.token_id);
    end if;
    select a.* into decision from admit_hold(q, funds, least(quota_left, (budget_of).room)) a;
    if decision.refused = 'quota_exceeded' and (budget_of).room <= coalesce(quota_left, (budget_of).room) then
      update budget b set reached = 100 where (b.subject_id, b.period) = ((budget_of).subject_id, (budget_of).period);
      answers := answers || (q.place, null, 'budget_exceeded', greatest((budget_of).room, 0),
        json_build_object('subject', (budget_of).subject, 'period', (budget_of).period, 'seconds', (budget_of).seconds)::text)::hold_answer;
      continue;
    end if;
    answers := answers || (q.place, decision.granted, decision.refused, decision.available, null)::hold_answer;
    if decision.taken > 0 then
      funds := funds - decision.taken;
      quota_left := quota_left - decision.taken;
      q.wanted := decision.taken;
      if has_budgets then
        update wallet w set held = w.held + decision.taken where w.id = q.wallet_id;
        update token t set held = t.held + decision.taken where t.id = q.token_id;
      else
        opened := opened || q;
      end if;
    end if;
  end loop;
  update wallet w set held = w.held + o.taken
    from (select wallet_id, sum(wanted) as taken from unnest(opened) group by 1) o
    where w.id = o.wallet_id and w.id = any (wallets);
  update token t set held = t.held + o.taken
    from (select token_id, sum(wanted) as taken from unnest(opened) group by 1) o
    where t.id = o.token_id and t.id = any (tokens);
  return answers;
end $$;
`;
