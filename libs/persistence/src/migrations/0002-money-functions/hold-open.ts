/**
 * Admission. Locks are taken in the order wallet, token, hold, and the decision is made from the locked rows,
 * so parallel calls can never be granted more than there is. A refusal writes nothing: its id may be asked again.
 */
export const HOLD_OPEN = /* sql */ `
create function hold_open(
  p_id uuid, p_kind text, p_wallet uuid, p_token uuid, p_model text, p_price_version uuid,
  p_wanted bigint, p_minimum bigint, p_ttl_seconds integer, p_instance text, p_epoch text,
  out granted bigint, out refused text, out available bigint
) language plpgsql as $$
declare
  funds bigint;
  quota_left bigint;
  amount bigint;
  earlier hold%rowtype;
  same_owner boolean;
  reopened boolean := false;
begin
  select w.balance - w.held into funds from wallet w where w.id = p_wallet for no key update;
  if not found then
    refused := 'unknown_wallet';
    return;
  end if;
  select t.spending_quota - t.used - t.held into quota_left
    from token t where t.id = p_token and t.wallet_id = p_wallet for no key update;
  if not found then
    refused := 'unknown_token';
    return;
  end if;

  select h.* into earlier from hold h where h.id = p_id;
  if found then
    same_owner := (earlier.owner_instance, earlier.owner_epoch) = (p_instance, p_epoch);
    if (earlier.wallet_id, earlier.token_id) <> (p_wallet, p_token) then
      refused := 'mismatch';
      return;
    elsif earlier.state = 'open' and not same_owner then
      -- Another process goes on with a call whose first one died: the hold lives and dies with the new one.
      update hold h set owner_instance = p_instance, owner_epoch = p_epoch,
          expires_at = now() + make_interval(secs => p_ttl_seconds)
        where h.id = p_id;
    elsif earlier.charged is null and earlier.state in ('voided', 'expired') then
      reopened := not same_owner;
      if not reopened then
        refused := 'closed';
        return;
      end if;
    end if;
    if not reopened then
      granted := earlier.amount;
      return;
    end if;
  end if;
  -- The caller gave up before its question arrived: nobody would ever use this hold.
  if exists (select from usage_journal j where j.request_id = p_id and j.phase = 'cancel') then
    refused := 'closed';
    return;
  end if;

  -- A token without a quota has null left, which least() passes over.
  amount := least(p_wanted, funds, quota_left);
  if amount < p_minimum or amount < 0 then
    if funds < greatest(p_minimum, 0) then
      refused := 'insufficient_balance';
      available := funds;
    else
      refused := 'quota_exceeded';
      available := quota_left;
    end if;
    return;
  end if;

  update wallet w set held = w.held + amount where w.id = p_wallet;
  update token t set held = t.held + amount where t.id = p_token;
  insert into hold (id, kind, wallet_id, token_id, model_slug, price_version_id, amount,
      owner_instance, owner_epoch, expires_at)
    values (p_id, p_kind, p_wallet, p_token, p_model, p_price_version, amount,
      p_instance, p_epoch, now() + make_interval(secs => p_ttl_seconds))
    on conflict (id) do update set state = 'open', amount = excluded.amount, resolved_at = null,
      owner_instance = excluded.owner_instance, owner_epoch = excluded.owner_epoch,
      created_at = now(), expires_at = excluded.expires_at;
  granted := amount;
end $$;

-- One outcome for each item, told apart by its place. Items run by wallet, so that two batches lock in one order; each
-- in its own subtransaction, so that a faulty one does not touch the others. Conflicts end the batch: ask again.
create function hold_open_many(p_holds jsonb)
returns table (place integer, granted bigint, refused text, available bigint, failure text)
language plpgsql as $$
declare
  item record;
begin
  for item in
    select o.* from rows from (jsonb_to_recordset(p_holds) as (
      id uuid, kind text, wallet_id uuid, token_id uuid, model text, price_version_id uuid,
      wanted bigint, minimum bigint, ttl_seconds integer, owner_instance text, owner_epoch text
    )) with ordinality as o (id, kind, wallet_id, token_id, model, price_version_id,
      wanted, minimum, ttl_seconds, owner_instance, owner_epoch, place)
    order by o.wallet_id, o.token_id, o.id
  loop
    place := item.place;
    begin
      select h.granted, h.refused, h.available, null into granted, refused, available, failure
        from hold_open(item.id, coalesce(item.kind, 'request'), item.wallet_id, item.token_id, item.model,
          item.price_version_id, item.wanted, item.minimum, item.ttl_seconds,
          item.owner_instance, item.owner_epoch) h;
    exception
      when deadlock_detected or serialization_failure or lock_not_available then
        raise;
      when others then
        granted := null;
        refused := 'failed';
        available := null;
        failure := sqlerrm;
    end;
    return next;
  end loop;
end $$;
`;
