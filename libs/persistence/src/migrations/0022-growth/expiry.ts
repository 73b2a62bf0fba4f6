/** Expiry of every kind of row that grows with calls or with time. */
export const EXPIRY = /* sql */ `
-- As before, and: 'tasks' that have ended, with their past, their deliveries and their hold; 'waste'; 'audit', of which the
-- last month stays in any case; 'hourly_usage' and 'daily_usage', sums of whole days.
create or replace function expire_rows(p_kind text, p_before timestamptz, p_after uuid, p_limit integer) returns expired_rows
language plpgsql security definer set lock_timeout = '100ms' set plan_cache_mode = force_custom_plan as $$
declare
  until uuid := first_id_at(least(p_before, now() - interval '1 day',
    (select min(l.starts_at) from list_partitions(case p_kind when 'logs' then 'request_log' when 'journal' then 'usage_journal' end) l)));
  ids uuid[];
  doomed uuid[];
  deleted integer;
begin
  if not pg_try_advisory_xact_lock(7204006) then
    return (0, null)::expired_rows;
  end if;
  if p_kind = 'logs' then
    ids := array(select l.request_id from request_log l
      where l.request_id > p_after and l.request_id < until order by l.request_id limit p_limit);
    doomed := array(select l.request_id from request_log l where l.request_id = any (ids) for update skip locked);
    delete from request_log l where l.request_id = any (doomed);
  elsif p_kind = 'journal' then
    ids := array(select j.request_id from usage_journal j
      where j.request_id > p_after and j.request_id < until group by 1 order by 1 limit p_limit);
    doomed := array(select distinct j.request_id from (
      select k.request_id from usage_journal k where k.request_id = any (ids) and k.posted_at is not null
        for update skip locked) j
      where not exists (select from refused_usage r where r.request_id = j.request_id));
    delete from usage_journal j where j.request_id = any (doomed) and j.posted_at is not null;
  elsif p_kind = 'holds' then
    ids := array(select h.id from hold h where h.id > p_after and h.id < until order by h.id limit p_limit);
    doomed := array(select h.id from hold h
      where h.id = any (ids) and h.state <> 'open' and not exists (select from task t where t.id = h.id)
      for update of h skip locked);
    delete from hold h where h.id = any (doomed);
  elsif p_kind = 'tasks' then
    -- Begun so long before that they have ended: whoever goes on after the last id of a batch passes none that is due later.
    until := first_id_at(least(p_before, now() - interval '1 day') - interval '2 days');
    ids := array(select t.id from task t where t.id > p_after and t.id < until order by t.id limit p_limit);
    -- In the one order of locks: the hold, then the task.
    doomed := array(select h.id from hold h where h.id = any (ids) and h.state <> 'open' for update skip locked);
    doomed := array(select t.id from task t
      where t.id = any (doomed) and is_task_end(t.state) and t.finished_at < least(p_before, now() - interval '1 day')
        and not exists (select from webhook_delivery d where d.task_id = t.id and d.next_attempt_at is not null)
        and not exists (select from suspect_task s where s.task_id = t.id)
      for update of t skip locked);
    delete from webhook_delivery d where d.task_id = any (doomed);
    delete from task_event e where e.task_id = any (doomed);
    delete from task t where t.id = any (doomed);
    delete from hold h where h.id = any (doomed);
  elsif p_kind = 'waste' then
    ids := array(select w.request_id from waste w
      where w.request_id > p_after and w.request_id < until group by 1 order by 1 limit p_limit);
    doomed := array(select distinct w.request_id from (
      select v.request_id from waste v where v.request_id = any (ids) for update skip locked) w);
    delete from waste w where w.request_id = any (doomed);
  elsif p_kind = 'audit' then
    until := first_id_at(least(p_before, now() - interval '31 days'));
    ids := array(select a.id from audit_log a where a.id > p_after and a.id < until order by a.id limit p_limit);
    doomed := array(select a.id from audit_log a where a.id = any (ids) and a.created_at < now() - interval '30 days');
    delete from audit_log a where a.id = any (doomed);
  elsif p_kind in ('hourly_usage', 'daily_usage') then
    delete from usage_cell u using (
      select c.grain, c.at, c.user_id, c.token_id, c.model, c.channel from usage_cell c
      where c.grain = case p_kind when 'hourly_usage' then 'hour' else 'day' end
        and c.at < date_trunc('day', least(p_before, now() - interval '1 day'), 'UTC')
      order by c.at limit p_limit for update skip locked) old
    where (u.grain, u.at, u.user_id, u.token_id, u.model, u.channel)
      = (old.grain, old.at, old.user_id, old.token_id, old.model, old.channel);
    get diagnostics deleted = row_count;
    -- Each batch begins at the oldest sum that is left.
    return (deleted, case when deleted = p_limit then p_after end)::expired_rows;
  else
    raise exception 'rows of kind % do not expire', p_kind;
  end if;
  return (cardinality(doomed), case when cardinality(ids) = p_limit then ids[p_limit] end)::expired_rows;
end $$;

-- What was done in the last month can be deleted by nobody; what is older, by expire_rows alone.
create or replace trigger audit_log_append_only before update on audit_log
  for each row execute function refuse_change();
create trigger audit_log_kept before delete on audit_log
  for each row when (old.created_at > now() - interval '30 days') execute function refuse_change();

-- Forgets processes that have told nothing for so long.
create function expire_reports(p_after interval) returns integer language sql security definer as $$
  with gone as (delete from plane_report r where r.seen_at < now() - greatest(p_after, interval '1 hour') returning 1)
  select count(*)::integer from gone;
$$;
`;
