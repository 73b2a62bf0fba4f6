/** How calls that were admitted from a lease come to holds of their own, which are then settled like any other. */
export const LEASE_POSTING = /* sql */ `
-- Writes the holds of leased calls that have none yet, with money from their leases: what the row that will be settled
-- charges, within the call's worst case, and for a checkpoint all of the worst case. Nothing is taken for a cancellation, and
-- from a lease that has ended: such a hold is expired, so that its usage is a late charge. Locks rows of the journal as
-- post_usage does, then wallets, then leases. Answers the requests that cannot be decided now, since somebody has locked
-- their wallet.
create function take_from_leases(p_items jsonb, p_wait_rows boolean, p_wait_wallets boolean) returns uuid[]
language plpgsql set enable_seqscan = off set lock_timeout = '400ms' as $$
declare
  items usage_item[];
  asked leased_call[];
  wallets uuid[];
  free uuid[];
begin
  if p_wait_rows then
    perform set_config('lock_timeout', '1s', true);
    items := array(select i from jsonb_populate_recordset(null::usage_item, p_items) i
      join usage_journal j on (j.request_id, j.seq, j.phase) = (i.request_id, i.seq, i.phase)
      where j.posted_at is null order by i.request_id, i.seq, i.phase for update of j);
    perform set_config('lock_timeout', '400ms', true);
  else
    items := array(select i from jsonb_populate_recordset(null::usage_item, p_items) i
      join usage_journal j on (j.request_id, j.seq, j.phase) = (i.request_id, i.seq, i.phase)
      where j.posted_at is null order by i.request_id, i.seq, i.phase for update of j skip locked);
  end if;
  asked := array(
    select (d.request_id, d.lease_id, l.wallet_id, l.token_id, p.id, p.model_slug,
      case d.phase when 'usage' then least(d.charge, d.lease_worst) when 'cancel' then 0 else d.lease_worst end)::leased_call
    from (
      -- The row that settle will take, as post_usage chooses it.
      select distinct on (i.request_id) i.*, j.lease_id, j.lease_worst, j.wallet_id, j.token_id
      from unnest(items) i join usage_journal j on (j.request_id, j.seq, j.phase) = (i.request_id, i.seq, i.phase)
      where i.failure is null
      order by i.request_id, case i.phase when 'usage' then 0 when 'cancel' then 1 else 2 end, i.estimated, i.seq desc
    ) d
      join lease l on l.id = d.lease_id and l.wallet_id = d.wallet_id and l.token_id = d.token_id
      join price_version p on p.id = d.price_version_id
    where not exists (select from hold h where h.id = d.request_id)
    order by d.request_id);
  wallets := array(select distinct a.wallet_id from unnest(asked) a);
  if cardinality(wallets) = 0 then
    return '{}';
  end if;
  begin
    if p_wait_wallets then
      perform 1 from wallet w where w.id = any (wallets) order by w.id for no key update;
      free := wallets;
    else
      free := array(select w.id from wallet w where w.id = any (wallets) order by w.id for no key update skip locked);
    end if;
  exception
    when lock_not_available then
      free := '{}';
  end;
  perform 1 from lease l where l.wallet_id = any (free) and l.id = any (array(select a.lease_id from unnest(asked) a))
    order by l.id for no key update;
  with share as (
    select a.*, l.owner_instance, l.owner_epoch, l.state in ('open', 'shrunk', 'closing') as is_live,
      greatest(0, least(a.wanted, l.amount - l.consumed - coalesce(sum(a.wanted) over (
        partition by l.id order by a.request_id rows between unbounded preceding and 1 preceding), 0))) as taken
    from unnest(asked) a join lease l on l.id = a.lease_id where l.wallet_id = any (free)
  ), written as (
    insert into hold (id, kind, wallet_id, token_id, model_slug, price_version_id, amount, state, owner_instance,
        owner_epoch, created_at, expires_at, resolved_at)
      select s.request_id, 'request', s.wallet_id, s.token_id, s.model_slug, s.price_version_id,
        case when s.is_live then s.taken else 0 end, case when s.is_live then 'open' else 'expired' end, s.owner_instance,
        s.owner_epoch, least(now(), time_of_id(s.request_id)), now() + interval '10 minutes',
        case when not s.is_live then now() end
      from share s order by s.request_id
    on conflict do nothing
    returning id, amount
  )
  update lease l set consumed = l.consumed + t.total
    from (select a.lease_id, sum(w.amount) as total from written w join unnest(asked) a on a.request_id = w.id group by 1) t
    where l.id = t.lease_id and t.total > 0;
  return array(select a.request_id from unnest(asked) a where a.wallet_id <> all (free));
end $$;

-- As post_usage, for batches in which there are rows of leased calls.
create function post_leased_usage(p_items jsonb, p_wait_rows boolean, p_wait_wallets boolean)
returns table (request_id uuid, outcome text, charged bigint, failure text) language plpgsql as $$
#variable_conflict use_column
declare
  undecided uuid[] := take_from_leases(p_items, p_wait_rows, p_wait_wallets);
  decided jsonb := p_items;
begin
  if cardinality(undecided) > 0 then
    if p_wait_wallets then
      perform postpone_usage(undecided);
    end if;
    return query select u, case when p_wait_wallets then 'postponed' else 'busy' end, null::bigint, null::text
      from unnest(undecided) u;
    decided := coalesce((select jsonb_agg(i) from jsonb_array_elements(p_items) i
      where (i ->> 'request_id')::uuid <> all (undecided)), '[]');
  end if;
  return query select p.request_id, p.outcome, p.charged, p.failure from post_usage(decided, p_wait_rows, p_wait_wallets) p;
end $$;

-- As before. Usage whose lease still holds money for it is left to post_leased_usage: an earlier version of billing, which
-- does not know leases, tries it again later. The sums of usage never took the cost of a leased call from the log.
create or replace function restore_hold(p_request uuid, p_wait boolean) returns void language plpgsql security definer as $$
declare
  payers uuid[] := array(select j.wallet_id from usage_journal j where j.request_id = p_request and j.phase = 'usage');
begin
  if exists (select from usage_journal j join lease l on l.id = j.lease_id and l.wallet_id = j.wallet_id
      and l.token_id = j.token_id
      where j.request_id = p_request and j.phase = 'usage' and l.state in ('open', 'shrunk', 'closing')) then
    raise exception 'the call is paid from a lease' using errcode = '55P03';
  end if;
  if p_wait then
    perform 1 from wallet w where w.id = any (payers) order by w.id for no key update;
  else
    perform 1 from wallet w where w.id = any (payers) order by w.id for no key update nowait;
  end if;
  insert into hold (id, kind, wallet_id, token_id, model_slug, price_version_id, amount, state, owner_instance, owner_epoch,
      expires_at, resolved_at)
    select j.request_id, 'request', t.wallet_id, t.id, p.model_slug, p.id, 0, 'expired', 'unknown', 'unknown', now(), now()
    from usage_journal j
      join token t on t.id = j.token_id and t.wallet_id = j.wallet_id
      join price_version p on p.id = j.price_version_id
    where j.request_id = p_request and j.phase = 'usage'
    order by j.estimated, j.seq desc limit 1
    on conflict do nothing;
  if not exists (select from hold h where h.id = p_request) then
    raise exception 'no hold, and no wallet, token and price that go together in the row';
  end if;
  -- The sums of usage took the cost of a call without a hold from the log; from now on they take it from the ledger.
  insert into usage_change (request_id, cost)
    select l.request_id, -l.cost from request_log l
    where l.request_id = p_request and l.cost <> 0 and l.lease_id is null;
end $$;

-- As before. The hold of a leased call may be written after its row in the log.
create or replace function usage_of_new_calls() returns trigger language plpgsql security definer as $$
begin
  insert into usage_change (request_id, calls, errors, input_tokens, output_tokens, cost, latency_ms, ttft_ms)
  select n.request_id, 1, (n.status >= 400)::integer,
    coalesce((n.usage ->> 'input_tokens')::bigint, 0), coalesce((n.usage ->> 'output_tokens')::bigint, 0),
    case when n.lease_id is not null or exists (select from hold h where h.id = n.request_id) then 0 else n.cost end,
    n.latency_ms, n.ttft_ms
  from new_rows n;
  return null;
end $$;
`;

/** What the functions above are made of. */
export const LEASE_POSTING_TYPES = /* sql */ `
create type leased_call as (
  request_id uuid, lease_id uuid, wallet_id uuid, token_id uuid, price_version_id uuid, model_slug text, wanted bigint
);

-- When the id of a request was made, by the clock of its gateway.
create function time_of_id(p_id uuid) returns timestamptz language sql immutable as $$
  select to_timestamp(('x' || left(replace(p_id::text, '-', ''), 12))::bit(48)::bigint / 1000.0);
$$;
`;
