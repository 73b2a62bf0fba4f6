import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

const SCHEMA = /* sql */ `
-- Of a file whose content is no parts here, but an object in the result store: its name, and the key that encrypts it.
alter table stored_file add column object_name text, add column sealed_key text;

-- Objects whose files are gone, until the store has deleted them.
create table discarded_object (
  name text primary key,
  due_at timestamptz not null default now() + interval '1 hour'
);
create index discarded_object_by_due on discarded_object (due_at);

create function discard_object() returns trigger language plpgsql as $$
begin
  insert into discarded_object (name) values (old.object_name);
  return null;
end $$;
create trigger stored_file_discards after delete on stored_file
  for each row when (old.object_name is not null) execute function discard_object();
`;

/** Results of batches in the result store. */
export class FileObjects0080 implements Migration {
  readonly name = 'FileObjects1763700000080';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(SCHEMA);
  }

  /** Files in the result store are lost with their keys. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query('delete from stored_file where object_name is not null');
    await runner.query('drop trigger stored_file_discards on stored_file');
    await runner.query('drop function discard_object()');
    await runner.query('drop table discarded_object');
    await runner.query('alter table stored_file drop column object_name, drop column sealed_key');
  }
}
