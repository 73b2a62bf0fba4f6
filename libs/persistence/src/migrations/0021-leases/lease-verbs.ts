/** What the owner of a lease asks for: to open it, to give back what it does not need. Each is idempotent by the lease's id. */
export const LEASE_VERBS = /* sql */ `
create type lease_question as (
  id uuid, token_id uuid, wanted bigint, worst bigint, ttl_seconds integer, owner_instance text, owner_epoch text
);
create type lease_answer as (id uuid, granted bigint, refused text);
create type lease_return as (id uuid, token_id uuid, amount bigint, final boolean);

-- Decides on leases of one wallet, each on what those before it left. One is granted if 20 times its largest worst case is
-- available, to the wallet and to the token's quota: as much as is wanted, and at most a fifth of what is available shared by
-- the gateways that live. Refusals: small; fenced: the owner is not, or no longer, the life that sends heartbeats;
-- unknown_payer; closed: given back already.
create function lease_open(p_wallet uuid, p_questions jsonb) returns setof lease_answer language plpgsql
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

-- Gives back of leases of one wallet all but an amount: what their calls have consumed and the worst cases under way. Final:
-- no call is under way, and the rows of all are in the journal. Answers nothing: a lease that has ended stays as it is, and
-- one that is not there is noted as closed, so that a question on its way opens it no more.
create function lease_close(p_wallet uuid, p_leases jsonb, p_instance text, p_epoch text) returns void language plpgsql
set enable_seqscan = off set lock_timeout = '400ms' as $$
declare
  r lease_return;
  known lease%rowtype;
  freed bigint;
begin
  perform 1 from wallet w where w.id = p_wallet for no key update;
  for r in select x.* from jsonb_populate_recordset(null::lease_return, p_leases) x order by x.token_id, x.id loop
    perform 1 from token t where t.id = r.token_id for no key update;
    insert into lease (id, wallet_id, token_id, amount, state, owner_instance, owner_epoch, admit_until, expires_at, closed_at)
      select r.id, p_wallet, t.id, 0, 'closed', p_instance, p_epoch, now(), now(), now()
      from token t where t.id = r.token_id
      on conflict do nothing;
    select l.* into known from lease l where l.id = r.id and l.wallet_id = p_wallet and l.token_id = r.token_id
      and (l.owner_instance, l.owner_epoch) = (p_instance, p_epoch) and l.state in ('open', 'shrunk') for no key update;
    continue when not found;
    freed := known.amount - greatest(least(r.amount, known.amount), known.consumed);
    update lease l set amount = l.amount - freed, state = case when r.final then 'closing' else 'shrunk' end
      where l.id = r.id;
    if freed > 0 then
      update wallet w set held = w.held - freed where w.id = p_wallet;
      update token t set held = t.held - freed where t.id = r.token_id;
    end if;
  end loop;
end $$;

-- Which of these refused holds are refused only because leases of the wallet hold the money, or the quota: open ones, whose
-- owners are told to give back what is not in use, and those that wait to be closed. An open one whose time to admit is over
-- for as long again is left out: its owner would have given it back.
create function lease_recall(p_holds jsonb) returns setof uuid language plpgsql set enable_seqscan = off as $$
declare
  lacking record;
begin
  for lacking in
    select q.id, q.wallet_id from jsonb_populate_recordset(null::hold_question, p_holds) q
      join wallet w on w.id = q.wallet_id
      join token t on t.id = q.token_id and t.wallet_id = q.wallet_id
      cross join lateral (
        select coalesce(sum(l.amount - l.consumed), 0) as of_wallet,
          coalesce(sum(l.amount - l.consumed) filter (where l.token_id = q.token_id), 0) as of_token
        from lease l
        where l.wallet_id = q.wallet_id
          and (l.state = 'closing' or l.state = 'open' and l.admit_until > now() - interval '5 seconds')) leased
      where leased.of_wallet > 0
        and w.balance - w.held + w.credit_limit + leased.of_wallet >= q.minimum
        and coalesce(t.spending_quota - t.used - t.held + leased.of_token >= q.minimum, true)
  loop
    perform pg_notify('lease_recalled', lacking.wallet_id::text);
    return next lacking.id;
  end loop;
end $$;

-- As before, of leases too.
create or replace function hold_renew(p_ids uuid[], p_instance text, p_epoch text, p_for interval)
returns setof uuid language sql as $$
  with own as (
    select h.id from hold h
    where h.id = any (p_ids) and h.state = 'open' and h.kind = 'request'
      and h.owner_instance = p_instance and h.owner_epoch = p_epoch
    order by h.id for no key update skip locked
  ), own_lease as (
    select l.id from lease l
    where l.id = any (p_ids) and l.state in ('open', 'shrunk') and l.owner_instance = p_instance and l.owner_epoch = p_epoch
    order by l.id for no key update skip locked
  ), renewed as (
    update hold h
      set expires_at = greatest(h.expires_at, least(now() + p_for, h.created_at + interval '1 day'))
      from own where h.id = own.id and h.state = 'open'
      returning h.id
  ), renewed_lease as (
    update lease l
      set expires_at = greatest(l.expires_at, least(now() + p_for, l.created_at + interval '1 day'))
      from own_lease o where l.id = o.id and l.state in ('open', 'shrunk')
      returning l.id
  )
  select r.id from renewed r union all select r.id from renewed_lease r;
$$;
`;
