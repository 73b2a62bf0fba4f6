/** Leases within budgets. */
export const BUDGET_LEASES = /* sql */ `
-- As before, and no larger than a share of what budgets leave: near a budget each call asks.
create or replace function lease_open(p_wallet uuid, p_questions jsonb) returns setof lease_answer language plpgsql
set enable_seqscan = off set lock_timeout = '400ms' as $$
declare
  gateways bigint := (select greatest(count(*), 1) from plane_instance p
    where p.instance like 'gateway/%' and p.ended_at is null and p.seen_at > now() - interval '60 seconds');
  q lease_question;
  earlier lease%rowtype;
  funds bigint;
  room bigint;
  size bigint;
begin
  perform 1 from wallet w where w.id = p_wallet for no key update;
  for q in select x.* from jsonb_populate_recordset(null::lease_question, p_questions) x order by x.token_id, x.id loop
    select w.balance - w.held + w.credit_limit into funds from wallet w where w.id = p_wallet;
    select least(funds, t.spending_quota - t.used - t.held) into room
      from token t where t.id = q.token_id and t.wallet_id = p_wallet for no key update;
    if not found then
      return next (q.id, null, 'unknown_payer')::lease_answer;
      continue;
    end if;
    select l.* into earlier from lease l where l.id = q.id;
    if found then
      if earlier.state = 'open' and (earlier.owner_instance, earlier.owner_epoch) = (q.owner_instance, q.owner_epoch) then
        return next (q.id, earlier.amount, null)::lease_answer;
      else
        return next (q.id, null, 'closed')::lease_answer;
      end if;
      continue;
    end if;
    if not exists (select from plane_instance p
        where p.instance = q.owner_instance and p.epoch = q.owner_epoch and p.ended_at is null) then
      return next (q.id, null, 'fenced')::lease_answer;
      continue;
    end if;
    room := least(room, (budget_room(p_wallet, q.token_id)).room);
    size := least(q.wanted, room / 5 / gateways);
    if room / 20 < q.worst or size < q.worst or size <= 0 then
      return next (q.id, null, 'small')::lease_answer;
      continue;
    end if;
    insert into lease (id, wallet_id, token_id, amount, owner_instance, owner_epoch, admit_until, expires_at)
      values (q.id, p_wallet, q.token_id, size, q.owner_instance, q.owner_epoch, now() + interval '5 seconds',
        now() + make_interval(secs => q.ttl_seconds));
    update wallet w set held = w.held + size where w.id = p_wallet;
    update token t set held = t.held + size where t.id = q.token_id;
    return next (q.id, size, null)::lease_answer;
  end loop;
end $$;

-- What leases hold of what a budget counts, and the wallets that they are of.
create function leased_of_budget(p_subject text, p_subject_id uuid, out total bigint, out wallets uuid[]) language sql stable as $$
  select coalesce(sum(l.amount - l.consumed), 0)::bigint, array_agg(distinct l.wallet_id)
    from lease l
    where (l.state = 'closing' or l.state = 'open' and l.admit_until > now() - interval '5 seconds')
      and l.wallet_id = any (case p_subject
        when 'wallet' then array[p_subject_id]
        when 'token' then array(select t.wallet_id from token t where t.id = p_subject_id)
        else array(select w.id from wallet w where w.user_id = p_subject_id)
          || array(select t.wallet_id from token t where t.user_id = p_subject_id) end)
      and case p_subject when 'wallet' then true when 'token' then l.token_id = p_subject_id
        else budget_user(l.token_id) = p_subject_id end;
$$;

-- As before, with budgets: leases may hold the rest of one as well.
create or replace function lease_recall(p_holds jsonb) returns setof uuid language plpgsql set enable_seqscan = off as $$
declare
  lacking record;
begin
  for lacking in
    select q.id, leased.wallets || coalesce(of_user.wallets, '{}') as wallets
      from jsonb_populate_recordset(null::hold_question, p_holds) q
      join wallet w on w.id = q.wallet_id
      join token t on t.id = q.token_id and t.wallet_id = q.wallet_id
      cross join lateral (
        select coalesce(sum(l.amount - l.consumed), 0) as of_wallet,
          coalesce(sum(l.amount - l.consumed) filter (where l.token_id = q.token_id), 0) as of_token,
          array[q.wallet_id] as wallets
        from lease l
        where l.wallet_id = q.wallet_id
          and (l.state = 'closing' or l.state = 'open' and l.admit_until > now() - interval '5 seconds')) leased
      left join lateral (
        select o.total, o.wallets from budget b cross join leased_of_budget(b.subject, b.subject_id) o
        where b.subject = 'user' and b.subject_id = coalesce(w.user_id, t.user_id) limit 1) of_user on true
      where (leased.of_wallet > 0 or of_user.total > 0)
        and w.balance - w.held + w.credit_limit + leased.of_wallet >= q.minimum
        and coalesce(t.spending_quota - t.used - t.held + leased.of_token >= q.minimum, true)
        and not exists (
          select from budget b cross join leased_of_budget(b.subject, b.subject_id) o
          where b.subject_id in (t.id, w.id, coalesce(w.user_id, t.user_id)) and b.ends_at > now()
            and b.amount - b.spent - budget_held(b.subject, b.subject_id) + o.total < q.minimum)
  loop
    perform pg_notify('lease_recalled', r::text) from (select distinct r from unnest(lacking.wallets) r) recalled (r);
    return next lacking.id;
  end loop;
end $$;
`;
