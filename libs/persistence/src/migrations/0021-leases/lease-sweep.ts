/** The end of leases. */
export const LEASE_SWEEP = /* sql */ `
-- Frees what leases still hold: of those that their owners are closing, and of those whose owner is proven dead, is silent
-- past their deadline, or let it pass by a minute - once no row of theirs waits in the journal, and nobody may admit calls
-- from them any more. Those of wallets and tokens that somebody has locked are left for the next time. Forgets leases that
-- ended an hour ago. One sweeper at a time; all deadlines are on this server's clock.
create function lease_sweep(p_limit integer) returns table (lease_id uuid, outcome text, freed bigint) language plpgsql
set enable_seqscan = off as $$
declare
  ids uuid[];
  wallets uuid[];
  tokens uuid[];
begin
  if not pg_try_advisory_xact_lock(7204040) then
    return;
  end if;
  delete from lease l where l.id = any (array(
    select o.id from lease o where o.state in ('closed', 'expired') and o.closed_at < now() - interval '1 hour' limit 10 * p_limit));
  ids := array(
    with waiting as materialized (
      select distinct j.lease_id as id from usage_journal j where j.posted_at is null and j.lease_id is not null)
    select l.id from lease l left join plane_instance p on p.instance = l.owner_instance
    where l.state in ('open', 'shrunk', 'closing')
      and (l.state = 'closing'
        or l.admit_until < now() and (
          (p.epoch <> l.owner_epoch and (l.owner_epoch = p.previous_epoch or l.created_at < p.started_at))
          or (p.epoch = l.owner_epoch and l.created_at <= p.ended_at)
          or (l.expires_at < now() and (p.instance is null or p.seen_at < now() - interval '60 seconds'))
          or l.expires_at < now() - interval '60 seconds'))
      and not exists (select from waiting w where w.id = l.id)
    order by l.created_at limit p_limit);
  wallets := array(select w.id from wallet w
    where w.id = any (array(select l.wallet_id from lease l where l.id = any (ids))) order by w.id for no key update skip locked);
  tokens := array(select t.id from token t
    where t.id = any (array(select l.token_id from lease l where l.id = any (ids) and l.wallet_id = any (wallets)))
    order by t.id for no key update skip locked);
  return query
  with ended as (
    update lease l set state = case l.state when 'closing' then 'closed' else 'expired' end, closed_at = now()
    where l.id = any (ids) and l.wallet_id = any (wallets) and l.token_id = any (tokens)
      and l.state in ('open', 'shrunk', 'closing')
    returning l.id, l.wallet_id, l.token_id, l.state, l.amount - l.consumed as freed
  ), wallet_after as (
    update wallet w set held = w.held - s.freed
    from (select e.wallet_id, sum(e.freed) as freed from ended e group by 1) s where w.id = s.wallet_id and s.freed > 0
  ), token_after as (
    update token t set held = t.held - s.freed
    from (select e.token_id, sum(e.freed) as freed from ended e group by 1) s where t.id = s.token_id and s.freed > 0
  )
  select e.id, e.state, e.freed from ended e;
end $$;
`;
