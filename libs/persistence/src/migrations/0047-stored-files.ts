import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

const TABLES = /* sql */ `
-- A file of a caller, or one with the results of a batch.
create table stored_file (
  wallet_id uuid not null,
  id text not null,
  purpose text not null,
  filename text not null,
  bytes bigint not null,
  -- False while it is written: nobody sees it before.
  is_whole boolean not null default false,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (wallet_id, id)
);
create index stored_file_by_age on stored_file (wallet_id, created_at, id);
create index stored_file_by_end on stored_file (expires_at);

-- The content of a file in its order, encrypted.
create table stored_file_part (
  wallet_id uuid not null,
  file_id text not null,
  part integer not null,
  sealed text not null,
  primary key (wallet_id, file_id, part),
  foreign key (wallet_id, file_id) references stored_file (wallet_id, id) on delete cascade
);
`;

/** Files that callers send for batches. */
export class StoredFiles0047 implements Migration {
  readonly name = 'StoredFiles1763700000047';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table stored_file_part, stored_file');
  }
}
