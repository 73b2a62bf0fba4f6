/** Puts a partitioned table in the place of one, which becomes its first partition. Takes milliseconds, whatever is in it. */
export const CUT = /* sql */ `
-- Gives a table the grants of another, which keeps none: processes that run meanwhile go on with the same rights.
create function move_grants(p_from text, p_to text) returns void language plpgsql as $$
declare
  granted record;
begin
  for granted in
    select quote_ident(r.rolname) as role, a.privilege_type || coalesce(' (' || quote_ident(c.name) || ')', '') as what
      from (
        select null::name as name, t.relacl as acl from pg_class t where t.oid = p_from::regclass
        union all
        select n.attname, n.attacl from pg_attribute n where n.attrelid = p_from::regclass and n.attacl is not null
      ) c cross join lateral aclexplode(c.acl) a join pg_roles r on r.oid = a.grantee
      where r.oid <> (select t.relowner from pg_class t where t.oid = p_from::regclass)
  loop
    execute format('grant %s on table %I to %s', granted.what, p_to, granted.role);
    execute format('revoke %s on table %I from %s', granted.what, p_from, granted.role);
  end loop;
end $$;

create function cut_into_partitions(p_table text) returns void language plpgsql as $$
declare
  begins uuid := (select first_id_at(t.begins_at) from partitioned_table t where t.name = p_table);
  earlier text := p_table || '_before';
  trigger_row record;
begin
  execute format('alter table %I rename to %I', p_table, earlier);
  execute format('create table %I (like %I including all) partition by range (request_id)', p_table, earlier);
  execute format('alter table %I drop constraint %I', p_table, p_table || '_is_before');
  for trigger_row in
    select t.tgname as name, pg_get_triggerdef(t.oid, true) as definition
      from pg_trigger t where t.tgrelid = earlier::regclass and not t.tgisinternal
  loop
    execute replace(trigger_row.definition, ' ON ' || earlier || ' ', ' ON ' || p_table || ' ');
    execute format('drop trigger %I on %I', trigger_row.name, earlier);
  end loop;
  execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', p_table, earlier, begins);
  execute format('alter table %I attach partition %I for values from (%L) to (maxvalue)', p_table, p_table || '_after', begins);
  perform move_grants(earlier, p_table);
  perform add_partitions(p_table);
end $$;
`;
