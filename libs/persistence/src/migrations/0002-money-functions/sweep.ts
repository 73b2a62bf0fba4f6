/** What ends the holds that nobody ends: lives of processes, and the rule for what they leave behind. */
export const SWEEP = /* sql */ `
alter table plane_instance add column previous_epoch text;

-- Says that a process lives. True when this is a new life of its instance, which proves the one before it dead.
-- A late message of that earlier life changes nothing.
create function plane_heartbeat(p_instance text, p_epoch text) returns boolean language sql as $$
  insert into plane_instance as p (instance, epoch) values (p_instance, p_epoch)
  on conflict (instance) do update set
    seen_at = now(),
    started_at = case when p.epoch = excluded.epoch then p.started_at else now() end,
    previous_epoch = case when p.epoch = excluded.epoch then p.previous_epoch else p.epoch end,
    epoch = excluded.epoch
  where p.previous_epoch is distinct from excluded.epoch
  returning p.started_at = now();
$$;

-- Writes the log row of calls that ended with their gateway, so that the statement explains each charge.
create function explain_lost_calls(p_ids uuid[]) returns bigint language sql as $$
  with explained as (
    insert into request_log (request_id, created_at, user_id, token_id, token_name, wallet_id, model, endpoint, status,
      error_code, stream, latency_ms, usage, cost, estimated, reason, attempts, price_version_id)
    select h.id, h.created_at, t.user_id, h.token_id, t.name, h.wallet_id, h.model_slug, 'unknown', 503,
      'service_unavailable', h.checkpoint is not null,
      coalesce(extract(epoch from
        (select max(j.created_at) from usage_journal j where j.request_id = h.id) - h.created_at) * 1000, 0),
      coalesce(h.usage, jsonb_build_object('input_tokens', 0, 'cached_input_tokens', 0, 'cache_write_tokens', 0,
        'output_tokens', 0, 'reasoning_tokens', 0, 'images', 0, 'seconds', 0)),
      coalesce(h.charged, 0), h.estimated, 'gateway_lost', '[]', h.price_version_id
    from hold h join token t on t.id = h.token_id
    where h.id = any (p_ids)
    on conflict (request_id) do nothing
    returning 1
  )
  select count(*) from explained;
$$;

-- The same for calls that were charged, but whose gateway died before it had logged them. Ids of requests are ordered by
-- time, which keeps this to the calls of the last hour.
create function explain_calls_of_earlier_life(p_instance text) returns bigint language sql as $$
  select explain_lost_calls(array(
    select h.id from hold h join plane_instance p on p.instance = h.owner_instance
    where p.instance = p_instance and h.owner_epoch = p.previous_epoch and h.state = 'posted'
      and h.id > rpad(lpad(to_hex((extract(epoch from now() - interval '1 hour') * 1000)::bigint), 12, '0'), 32, '0')::uuid
      and not exists (select from request_log l where l.request_id = h.id)));
$$;

-- Ends open holds of calls whose process is proven dead, is silent past the hold's deadline, or let it pass by a minute:
-- the last checkpoint is charged as an estimate, and without one the hold is released. What still waits in the journal is
-- left to the journal. One sweeper at a time; all deadlines are on this server's clock.
create function sweep(p_limit integer) returns setof settled language plpgsql as $$
declare
  swept settled[];
begin
  if not pg_try_advisory_xact_lock(7204002) then
    return;
  end if;
  swept := array(
    select s from settle(array(
      select (h.id, case when h.checkpoint is null then 'expire' else 'usage' end,
        (h.checkpoint ->> 'charge')::bigint, h.checkpoint -> 'usage', true)::settlement
      from hold h left join plane_instance p on p.instance = h.owner_instance
      where h.state = 'open' and h.kind = 'request'
        and (
          (p.epoch <> h.owner_epoch and (h.owner_epoch = p.previous_epoch or h.created_at < p.started_at))
          or (h.expires_at < now() and (p.instance is null or p.seen_at < now() - interval '60 seconds'))
          or h.expires_at < now() - interval '60 seconds'
        )
        and not exists (select from usage_journal j where j.request_id = h.id and j.posted_at is null)
      order by h.expires_at limit p_limit)) s
    where s.outcome in ('posted', 'expired'));
  perform explain_lost_calls(array(select request_id from unnest(swept)));
  return query select * from unnest(swept);
end $$;
`;
