/** Makes ready what becomes a partition: no row of it may lie where new partitions begin. */
export const PREPARE = /* sql */ `
-- Tables that are cut by the time in the ids of requests, which are their keys. What is older than begins_at lies in the
-- partition <name>_before, the table as it was; what is further ahead than there are partitions in <name>_after; what is
-- older than the oldest day or month that is still there in <name>_late.
create table partitioned_table (
  name text primary key,
  unit text not null check (unit in ('day', 'month')),
  begins_at timestamptz not null
);

-- An empty table is cut from now on, any other from a while ahead: this may take hours, and the version before writes on.
create function prepare_partitions(p_table text, p_unit text) returns void language plpgsql as $$
declare
  is_empty boolean;
  begins timestamptz;
begin
  execute format('select not exists (select from %I)', p_table) into is_empty;
  begins := case when is_empty then date_trunc(p_unit, now(), 'UTC')
    else date_trunc(p_unit, now() + interval '2 days' + ('1 ' || p_unit)::interval, 'UTC') end;
  insert into partitioned_table (name, unit, begins_at) values (p_table, p_unit, begins);
  execute format('create table %I (like %I including all)', p_table || '_after', p_table);
  execute format('with ahead as (delete from %I where request_id >= %L returning *) insert into %I select * from ahead',
    p_table, first_id_at(begins), p_table || '_after');
  execute format('alter table %I add constraint %I check (request_id < %L) not valid',
    p_table, p_table || '_is_before', first_id_at(begins));
end $$;
`;
