import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

const TABLES = /* sql */ `
-- A file that comes in parts, until it is whole.
create table stored_upload (
  wallet_id uuid not null,
  id text not null,
  purpose text not null,
  filename text not null,
  -- What its parts have to hold together.
  bytes bigint not null,
  -- Of the file that it becomes; the retention of files when null.
  keep_seconds integer,
  state text not null default 'pending' check (state in ('pending', 'completing', 'completed', 'cancelled')),
  file_id text,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (wallet_id, id)
);
create index stored_upload_by_end on stored_upload (expires_at);

-- Of what is a part of an upload and no file of its own.
alter table stored_file add column upload_id text;
`;

/** Files that callers send in parts. */
export class Uploads0061 implements Migration {
  readonly name = 'Uploads1763700000061';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table stored_upload');
    await runner.query('alter table stored_file drop column upload_id');
  }
}
