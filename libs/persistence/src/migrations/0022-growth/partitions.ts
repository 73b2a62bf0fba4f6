/**
 * Adds and drops partitions with as little as possible under the lock that everybody waits for. Tables are made before it,
 * and what is dropped is a table by itself by then, that nobody looks into any more.
 */
export const PARTITIONS = /* sql */ `
-- Adds partitions until there are some for the next days, or for the next month. Answers how many. One process at a time
-- adds or takes out.
create or replace function add_partitions(p_table text) returns integer language plpgsql security definer
set lock_timeout = '50ms' set timezone = 'UTC' as $$
declare
  t partitioned_table%rowtype;
  starts timestamptz;
  first_start timestamptz;
  until timestamptz;
  one record;
  ahead text := p_table || '_after';
  added integer := 0;
begin
  if not pg_try_advisory_xact_lock(7204007) then
    return 0;
  end if;
  select * into strict t from partitioned_table p where p.name = p_table;
  first_start := coalesce((select max(l.ends_at) from list_partitions(p_table) l), t.begins_at);
  until := now() + case t.unit when 'day' then interval '3 days' else interval '20 days' end;
  starts := first_start;
  while starts <= until loop
    execute format('create table %I (like %I including all)', p_table || to_char(starts, '"_p"YYYYMMDD'), p_table);
    starts := starts + ('1 ' || t.unit)::interval;
    added := added + 1;
  end loop;
  if added = 0 then
    return 0;
  end if;
  execute format('lock table only %I in access exclusive mode', p_table);
  execute format('lock table %I in access exclusive mode nowait', ahead);
  execute format('alter table %I detach partition %I', p_table, ahead);
  for one in select s as starts_at, s + ('1 ' || t.unit)::interval as ends_at
    from generate_series(first_start, until, ('1 ' || t.unit)::interval) s
  loop
    execute format('alter table %I attach partition %I for values from (%L) to (%L)', p_table,
      p_table || to_char(one.starts_at, '"_p"YYYYMMDD'), first_id_at(one.starts_at), first_id_at(one.ends_at));
  end loop;
  -- Ids from clocks that are ahead.
  execute format('with due as (delete from %I where request_id < %L returning *) insert into %I select * from due',
    ahead, first_id_at(starts), p_table);
  execute format('alter table %I attach partition %I for values from (%L) to (maxvalue)', p_table, ahead, first_id_at(starts));
  return added;
end $$;

-- Takes the oldest partition out of its table if all of it is older than so many days, at least one; answers its name. From
-- then on it is a table by itself, with a comment that lets drop_detached drop it. Usage that is not charged, or was refused, is kept. Rows
-- of that time that come later have their place in <table>_late.
create function detach_partition(p_table text, p_days integer) returns text language plpgsql security definer
set lock_timeout = '50ms' set timezone = 'UTC' set enable_seqscan = off as $$
declare
  old record;
  begins uuid := (select first_id_at(t.begins_at) from partitioned_table t where t.name = p_table);
  late text := p_table || '_late';
  has_late boolean := to_regclass(p_table || '_late') is not null;
begin
  if not pg_try_advisory_xact_lock(7204007) then
    return null;
  end if;
  select * into old from list_partitions(p_table) l order by l.starts_at limit 1;
  if old.ends_at is null or old.ends_at > now() - make_interval(days => greatest(p_days, 1)) then
    return null;
  end if;
  if not has_late then
    execute format('create table %I (like %I including all)', late, p_table);
  end if;
  -- Nothing can be written into it while what is kept is copied. Who works on one of its parts alone, such as autovacuum, is
  -- not waited for while everybody waits.
  execute format('lock table only %I in access exclusive mode', p_table);
  execute format('lock table %I, %I in access exclusive mode nowait', old.partition, late);
  if has_late then
    execute format('alter table %I detach partition %I', p_table, late);
  end if;
  execute format('alter table %I detach partition %I', p_table, old.partition);
  if p_table = 'usage_journal' then
    execute format('insert into %I select j.* from %I j where j.posted_at is null', late, old.partition);
    execute format('insert into %I select j.* from refused_usage r join %I j on j.request_id = r.request_id
      where j.posted_at is not null', late, old.partition);
  end if;
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', p_table, late, begins, first_id_at(old.ends_at));
  execute format('comment on table %I is %L', old.partition, 'to be dropped');
  return old.partition;
end $$;

-- Drops one of what detach_partition took out of a table: an index, or the table that has none left but its key; answers its name, and
-- null when there is nothing left. Files are deleted a few at a time so. No lock but of that table itself.
create function drop_detached(p_table text) returns text language plpgsql security definer set lock_timeout = '1s' as $$
declare
  old regclass;
  part text;
begin
  if not exists (select from partitioned_table t where t.name = p_table) or not pg_try_advisory_xact_lock(7204007) then
    return null;
  end if;
  select c.oid into old from pg_class c
    where c.relnamespace = (select n.relnamespace from pg_class n where n.oid = p_table::regclass)
      and c.relname ~ ('^' || p_table || '_p\\d{8}$') and c.relkind = 'r' and not c.relispartition
      and obj_description(c.oid, 'pg_class') = 'to be dropped'
    order by c.relname limit 1;
  select i.indexrelid::regclass::text into part from pg_index i
    where i.indrelid = old and not exists (select from pg_constraint c where c.conindid = i.indexrelid)
    order by pg_relation_size(i.indexrelid) desc limit 1;
  if part is not null then
    execute format('drop index %s', part);
    return part;
  end if;
  if old is null then
    return null;
  end if;
  part := old::text;
  execute format('drop table %s', part);
  return part;
end $$;
`;
