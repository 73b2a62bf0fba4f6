/** How far a wallet may go below zero, and amounts that stay inside a bigint. */
export const CREDIT_LIMIT = /* sql */ `
alter table wallet add column credit_limit bigint not null default 0
  check (credit_limit between 0 and 1000000000000000000);

-- As before, with the credit limit: what a wallet has is balance plus credit limit less what is held.
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
begin
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
    select a.* into decision from admit_hold(q, funds, quota_left) a;
    answers := answers || (q.place, decision.granted, decision.refused, decision.available, null)::hold_answer;
    if decision.taken > 0 then
      funds := funds - decision.taken;
      quota_left := quota_left - decision.taken;
      q.wanted := decision.taken;
      opened := opened || q;
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

-- Credits a wallet once for each key; a negative amount is an adjustment, which may take what is available and no more.
-- The key belongs to the wallet. A balance stays below 8e18 nano-dollars, so that no sum of figures leaves a bigint.
create or replace function topup(
  p_wallet uuid, p_amount bigint, p_note text, p_key text,
  out entry_id bigint, out balance bigint, out refused text
) language plpgsql set enable_seqscan = off as $$
declare
  scoped_key text := p_wallet || ':' || p_key;
  earlier record;
  target wallet%rowtype;
begin
  select w.* into target from wallet w where w.id = p_wallet for no key update;
  if not found then
    refused := 'unknown_wallet';
    return;
  end if;
  select e.id, e.amount, e.balance_after into earlier
    from entry e where e.request_id = scoped_key and e.wallet_id = p_wallet;
  if found then
    if earlier.amount <> p_amount then
      refused := 'mismatch';
      return;
    end if;
    entry_id := earlier.id;
    balance := earlier.balance_after;
    return;
  end if;
  if p_amount < 0 and target.balance::numeric - target.held + target.credit_limit + p_amount < 0 then
    refused := 'insufficient_balance';
    balance := target.balance - target.held + target.credit_limit;
    return;
  end if;
  if target.balance::numeric + p_amount > 8000000000000000000 then
    refused := 'too_large';
    return;
  end if;
  select m.entry_id, m.balance into entry_id, balance from book_wallet_move(p_wallet, null, 'system:funding', p_amount,
    scoped_key, case when p_amount < 0 then 'adjust' else 'topup' end, p_note) m;
end $$;

-- Sets how far a wallet may go below zero. A limit below what is used already only stops further calls. Answers the limit
-- before, or null for an unknown wallet.
create function wallet_limit_credit(p_wallet uuid, p_limit bigint) returns bigint language plpgsql as $$
declare
  earlier bigint;
begin
  select w.credit_limit into earlier from wallet w where w.id = p_wallet for no key update;
  update wallet w set credit_limit = p_limit where w.id = p_wallet and w.credit_limit <> p_limit;
  return earlier;
end $$;
`;
