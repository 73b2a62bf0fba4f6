/** Adds partitions before they are needed and drops those that are too old: under locks that last for milliseconds. */
export const KEEP = /* sql */ `
-- Days or months of a table that have a partition of their own, oldest first.
create function list_partitions(p_table text) returns table (partition text, starts_at timestamptz, ends_at timestamptz)
language sql stable as $$
  select c.relname::text, p.starts_at, p.starts_at + ('1 ' || t.unit)::interval
    from partitioned_table t
    join pg_inherits i on i.inhparent = to_regclass(t.name)
    join pg_class c on c.oid = i.inhrelid
    cross join lateral (
      select (substring(c.relname from '_p(\\d{8})$')::date)::timestamp at time zone 'UTC' as starts_at) p
    where t.name = p_table and c.relname ~ '_p\\d{8}$'
    order by 2;
$$;

-- Adds partitions until there are some for the next days, or for the next month. Answers how many. One process at a time
-- adds or drops.
create function add_partitions(p_table text) returns integer language plpgsql security definer
set lock_timeout = '100ms' set timezone = 'UTC' as $$
declare
  t partitioned_table%rowtype;
  starts timestamptz;
  ends timestamptz;
  ahead text := p_table || '_after';
  added integer := 0;
begin
  if not pg_try_advisory_xact_lock(7204007) then
    return 0;
  end if;
  select * into strict t from partitioned_table p where p.name = p_table;
  starts := coalesce((select max(l.ends_at) from list_partitions(p_table) l), t.begins_at);
  while starts <= now() + case t.unit when 'day' then interval '3 days' else interval '20 days' end loop
    ends := starts + ('1 ' || t.unit)::interval;
    execute format('alter table %I detach partition %I', p_table, ahead);
    execute format('create table %I partition of %I for values from (%L) to (%L)',
      p_table || to_char(starts, '"_p"YYYYMMDD'), p_table, first_id_at(starts), first_id_at(ends));
    -- Ids from clocks that are ahead.
    execute format('with due as (delete from %I where request_id < %L returning *) insert into %I select * from due',
      ahead, first_id_at(ends), p_table);
    execute format('alter table %I attach partition %I for values from (%L) to (maxvalue)', p_table, ahead, first_id_at(ends));
    starts := ends;
    added := added + 1;
  end loop;
  return added;
end $$;

-- Drops the oldest partition if all of it is older than so many days, at least one; answers its name. Usage that is not
-- charged, or was refused, is kept. Rows of that time that come later have their place in <table>_late.
create function drop_partition(p_table text, p_days integer) returns text language plpgsql security definer
set lock_timeout = '100ms' set timezone = 'UTC' set enable_seqscan = off as $$
declare
  old record;
  begins uuid := (select first_id_at(t.begins_at) from partitioned_table t where t.name = p_table);
  late text := p_table || '_late';
begin
  if not pg_try_advisory_xact_lock(7204007) then
    return null;
  end if;
  select * into old from list_partitions(p_table) l order by l.starts_at limit 1;
  if old.ends_at is null or old.ends_at > now() - make_interval(days => greatest(p_days, 1)) then
    return null;
  end if;
  -- Nothing can be written into it while what is kept is copied.
  execute format('lock table only %I in access exclusive mode', p_table);
  if to_regclass(late) is null then
    execute format('create table %I (like %I including all)', late, p_table);
  else
    execute format('alter table %I detach partition %I', p_table, late);
  end if;
  if p_table = 'usage_journal' then
    execute format('insert into %I select j.* from %I j where j.posted_at is null', late, old.partition);
    execute format('insert into %I select j.* from refused_usage r join %I j on j.request_id = r.request_id
      where j.posted_at is not null', late, old.partition);
  end if;
  execute format('drop table %I', old.partition);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', p_table, late, begins, first_id_at(old.ends_at));
  return old.partition;
end $$;

-- As before; rows in partitions by day or month go with those, and only what lies before is deleted one by one.
create or replace function expire_rows(p_kind text, p_before timestamptz, p_after uuid, p_limit integer) returns expired_rows
language plpgsql security definer set lock_timeout = '100ms' set plan_cache_mode = force_custom_plan as $$
declare
  before uuid := first_id_at(least(p_before, now() - interval '1 day',
    (select min(l.starts_at) from list_partitions(case p_kind when 'logs' then 'request_log' when 'journal' then 'usage_journal' end) l)));
  ids uuid[];
  doomed uuid[];
begin
  if not pg_try_advisory_xact_lock(7204006) then
    return (0, null)::expired_rows;
  end if;
  if p_kind = 'logs' then
    ids := array(select l.request_id from request_log l
      where l.request_id > p_after and l.request_id < before order by l.request_id limit p_limit);
    doomed := array(select l.request_id from request_log l where l.request_id = any (ids) for update skip locked);
    delete from request_log l where l.request_id = any (doomed);
  elsif p_kind = 'journal' then
    ids := array(select j.request_id from usage_journal j
      where j.request_id > p_after and j.request_id < before group by 1 order by 1 limit p_limit);
    doomed := array(select distinct j.request_id from (
      select k.request_id from usage_journal k where k.request_id = any (ids) and k.posted_at is not null
        for update skip locked) j
      where not exists (select from refused_usage r where r.request_id = j.request_id));
    delete from usage_journal j where j.request_id = any (doomed) and j.posted_at is not null;
  elsif p_kind = 'holds' then
    ids := array(select h.id from hold h where h.id > p_after and h.id < before order by h.id limit p_limit);
    doomed := array(select h.id from hold h
      where h.id = any (ids) and h.state <> 'open' and not exists (select from task t where t.id = h.id)
      for update of h skip locked);
    delete from hold h where h.id = any (doomed);
  else
    raise exception 'rows of kind % do not expire', p_kind;
  end if;
  return (cardinality(doomed), case when cardinality(ids) = p_limit then ids[p_limit] end)::expired_rows;
end $$;
`;
