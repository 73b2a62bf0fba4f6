/**
 * Admission. Locks are taken in the order wallet, token, hold, and the decision is made from the locked rows,
 * so parallel calls can never be granted more than there is. A refusal writes nothing: its id may be asked again.
 */
export const HOLD_OPEN = /* sql */ `
create type hold_question as (
  place integer, id uuid, kind text, wallet_id uuid, token_id uuid, model text, price_version_id uuid,
  wanted bigint, minimum bigint, ttl_seconds integer, owner_instance text, owner_epoch text
);
create type hold_answer as (place integer, granted bigint, refused text, available bigint, failure text);

-- Decides on one hold and writes it. The caller has locked wallet and token, whose free amounts it tells (null: no quota),
-- and takes what was newly taken off them.
create function admit_hold(
  q hold_question, funds bigint, quota_left bigint,
  out granted bigint, out refused text, out available bigint, out taken bigint
) language plpgsql as $$
declare
  earlier hold%rowtype;
  heir boolean;
begin
  taken := 0;
  select h.* into earlier from hold h where h.id = q.id;
  if found then
    heir := (earlier.owner_instance, earlier.owner_epoch) <> (q.owner_instance, q.owner_epoch);
    if (earlier.wallet_id, earlier.token_id) <> (q.wallet_id, q.token_id) then
      refused := 'mismatch';
      return;
    elsif earlier.state in ('voided', 'expired') and earlier.charged is null then
      -- Released unused: only a process that goes on with the call of a dead one may hold it again.
      if not heir then
        refused := 'closed';
        return;
      end if;
    else
      if earlier.state = 'open' and heir then
        update hold h set owner_instance = q.owner_instance, owner_epoch = q.owner_epoch,
            expires_at = now() + make_interval(secs => q.ttl_seconds)
          where h.id = q.id;
      end if;
      granted := earlier.amount;
      return;
    end if;
  end if;
  -- The caller gave up before its question arrived: nobody would ever use this hold.
  if exists (select from usage_journal j where j.request_id = q.id and j.phase = 'cancel') then
    refused := 'closed';
    return;
  end if;

  granted := least(q.wanted, funds, quota_left);
  if granted < greatest(q.minimum, 0) then
    granted := null;
    refused := case when funds < greatest(q.minimum, 0) then 'insufficient_balance' else 'quota_exceeded' end;
    available := case when refused = 'quota_exceeded' then quota_left else funds end;
    return;
  end if;
  taken := granted;
  insert into hold (id, kind, wallet_id, token_id, model_slug, price_version_id, amount,
      owner_instance, owner_epoch, expires_at)
    values (q.id, coalesce(q.kind, 'request'), q.wallet_id, q.token_id, q.model, q.price_version_id, granted,
      q.owner_instance, q.owner_epoch, now() + make_interval(secs => q.ttl_seconds))
    on conflict (id) do update set state = 'open', amount = excluded.amount, resolved_at = null,
      owner_instance = excluded.owner_instance, owner_epoch = excluded.owner_epoch,
      created_at = now(), expires_at = excluded.expires_at;
end $$;

-- Answers questions that come sorted by wallet and token, so that batches lock in one order and each row is locked once.
create function hold_open(p_questions hold_question[]) returns hold_answer[] language plpgsql as $$
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
      select w.balance - w.held into funds from wallet w where w.id = q.wallet_id for no key update;
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

-- One answer for each question, told apart by its place. A faulty one does not touch the others. Conflicts end the
-- batch: ask again.
create function hold_open_many(p_questions jsonb) returns setof hold_answer language plpgsql set enable_seqscan = off as $$
declare
  questions hold_question[] := array(
    select q from jsonb_populate_recordset(null::hold_question, p_questions) q order by q.wallet_id, q.token_id, q.id);
  answers hold_answer[];
  q hold_question;
begin
  begin
    answers := hold_open(questions);
  exception
    when deadlock_detected or serialization_failure or lock_not_available then
      raise;
    when others then
      answers := '{}';
      foreach q in array questions loop
        begin
          answers := answers || hold_open(array[q]);
        exception
          when deadlock_detected or serialization_failure or lock_not_available then
            raise;
          when others then
            answers := answers || (q.place, null, 'failed', null, sqlerrm)::hold_answer;
        end;
      end loop;
  end;
  return query select * from unnest(answers);
end $$;
`;
