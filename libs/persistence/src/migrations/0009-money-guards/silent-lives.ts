/** Owners by life: a process that is silent for a minute is over, whatever its successor is called. */
export const SILENT_LIVES = /* sql */ `
-- When billing found this life of a process to be over; null while it lives. A heartbeat that comes after all undoes it.
alter table plane_instance add column ended_at timestamptz;

create or replace function plane_heartbeat(p_instance text, p_epoch text) returns boolean language sql as $$
  insert into plane_instance as p (instance, epoch) values (p_instance, p_epoch)
  on conflict (instance) do update set
    seen_at = now(),
    started_at = case when p.epoch = excluded.epoch then p.started_at else now() end,
    previous_epoch = case when p.epoch = excluded.epoch then p.previous_epoch else p.epoch end,
    epoch = excluded.epoch,
    ended_at = null
  where p.previous_epoch is distinct from excluded.epoch
  returning p.started_at = now();
$$;

-- Ends the lives that were not heard of for so long, on this server's clock. The caller vouches that it could have heard
-- them; that somebody was heard just now shows that the line carries heartbeats. Answers those that ended.
create function end_silent_lives(p_silence interval) returns table (instance text, epoch text) language sql as $$
  update plane_instance p set ended_at = now()
  where p.ended_at is null and p.seen_at < now() - p_silence
    and exists (select from plane_instance o where o.seen_at > now() - interval '10 seconds')
  returning p.instance, p.epoch;
$$;

-- Logs calls that were charged, but whose process ended before it had logged them: the calls of the last hour.
create function explain_calls_of_life(p_instance text, p_epoch text) returns bigint language sql as $$
  select explain_lost_calls(array(
    select h.id from hold h
    where h.owner_instance = p_instance and h.owner_epoch = p_epoch and h.state = 'posted'
      and h.id > rpad(lpad(to_hex((extract(epoch from now() - interval '1 hour') * 1000)::bigint), 12, '0'), 32, '0')::uuid
      and not exists (select from request_log l where l.request_id = h.id)));
$$;

-- As before, and the holds of a life that has ended, or of a process that nobody ever heard of. A hold whose usage was
-- refused keeps its money until an operator has decided.
create or replace function sweep(p_limit integer) returns setof settled language plpgsql as $$
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
          or (p.epoch = h.owner_epoch and h.created_at <= p.ended_at)
          or (h.expires_at < now() and (p.instance is null or p.seen_at < now() - interval '60 seconds'))
          or h.expires_at < now() - interval '60 seconds'
        )
        and not exists (select from usage_journal j where j.request_id = h.id and j.posted_at is null)
        and not exists (select from refused_usage r where r.request_id = h.id)
      order by h.expires_at limit p_limit)) s
    where s.outcome in ('posted', 'expired'));
  perform explain_lost_calls(array(select request_id from unnest(swept)));
  return query select * from unnest(swept);
end $$;
`;
