/** Money in and back: wallets, top-ups, refunds. Each is idempotent by its key; each writes both legs. */
export const WALLETS = /* sql */ `
-- Moves an amount between a wallet and a system account. The caller has made sure that it happens once.
create function book_wallet_move(
  p_wallet uuid, p_token uuid, p_contra text, p_amount bigint, p_request_id text, p_kind text, p_note text,
  out entry_id bigint, out balance bigint
) language plpgsql as $$
declare
  tx uuid := gen_random_uuid();
begin
  update wallet w set balance = w.balance + p_amount where w.id = p_wallet returning w.balance into balance;
  insert into entry (tx_id, account, wallet_id, token_id, amount, balance_after, request_id, kind, note)
    values (tx, 'wallet:' || p_wallet, p_wallet, p_token, p_amount, balance, p_request_id, p_kind, p_note)
    returning id into entry_id;
  insert into entry (tx_id, account, amount, request_id, kind, note)
    values (tx, p_contra, -p_amount, p_request_id, p_kind, p_note);
end $$;

-- Credits a wallet once for each key; a negative amount is an adjustment. The key belongs to the wallet.
create function topup(
  p_wallet uuid, p_amount bigint, p_note text, p_key text,
  out entry_id bigint, out balance bigint, out refused text
) language plpgsql set enable_seqscan = off as $$
declare
  scoped_key text := p_wallet || ':' || p_key;
  earlier record;
begin
  perform 1 from wallet w where w.id = p_wallet for no key update;
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
  select m.entry_id, m.balance into entry_id, balance from book_wallet_move(p_wallet, null, 'system:funding', p_amount,
    scoped_key, case when p_amount < 0 then 'adjust' else 'topup' end, p_note) m;
end $$;

-- Creates the wallet of a name, or finds it as it is. The opening balance is credited at its creation and never again.
create function wallet_open(p_id uuid, p_name text, p_user uuid, p_opening bigint) returns uuid
language plpgsql as $$
declare
  found_id uuid;
begin
  insert into wallet (id, name, user_id) values (p_id, p_name, p_user) on conflict do nothing;
  if found then
    if p_opening <> 0 then
      perform book_wallet_move(p_id, null, 'system:funding', p_opening, 'opening:' || p_id, 'topup', 'opening balance');
    end if;
    return p_id;
  end if;
  select w.id into found_id from wallet w where w.name = p_name;
  if not found then
    raise exception 'the id of wallet % belongs to a wallet of another name', p_name using errcode = 'unique_violation';
  end if;
  return found_id;
end $$;

-- Returns everything a request was charged, once. Answers the amount that is back in the wallet.
create function refund(p_request uuid, p_note text, out refunded bigint, out refused text) language plpgsql set enable_seqscan = off as $$
declare
  target hold%rowtype;
begin
  select h.* into target from hold h where h.id = p_request;
  if not found then
    refused := 'unknown_hold';
    return;
  end if;
  perform 1 from wallet w where w.id = target.wallet_id for no key update;
  perform 1 from token t where t.id = target.token_id for no key update;
  select h.* into target from hold h where h.id = p_request for no key update;
  if target.state = 'open' then
    refused := 'still_open';
    return;
  end if;
  select e.amount into refunded
    from entry e where e.request_id = p_request::text and e.kind = 'refund' and e.wallet_id = target.wallet_id;
  if found then
    return;
  end if;
  refunded := coalesce(target.charged, 0);
  if refunded <> 0 then
    update token t set used = t.used - refunded where t.id = target.token_id;
    perform book_wallet_move(target.wallet_id, target.token_id, 'system:revenue', refunded, p_request::text, 'refund', p_note);
  end if;
end $$;
`;
