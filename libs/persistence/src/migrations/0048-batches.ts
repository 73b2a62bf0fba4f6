import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

const TABLES = /* sql */ `
-- Calls that a caller has sent together, to be made within a day.
create table batch (
  id text primary key,
  wallet_id uuid not null,
  token_id uuid not null,
  -- Of the key that created it: its lines are admitted by it, as long as it is good.
  key_hash text not null,
  api text not null,
  -- Path of the gateway that every line is sent to.
  endpoint text not null,
  -- What its caller said beside that, and gets back.
  details jsonb not null,
  state text not null default 'validating',
  -- Why it failed, line by line.
  errors jsonb,
  total integer not null default 0,
  succeeded integer not null default 0,
  failed integer not null default 0,
  cancelled integer not null default 0,
  expired integer not null default 0,
  output_file_id text,
  error_file_id text,
  created_at timestamptz not null default now(),
  in_progress_at timestamptz,
  cancelling_at timestamptz,
  finalizing_at timestamptz,
  ended_at timestamptz,
  expires_at timestamptz not null,
  -- When lines of it were claimed last: wallets and batches take turns.
  served_at timestamptz not null default now(),
  -- No line of it is sent before, since the last one met a limit.
  next_run_at timestamptz not null default now(),
  -- The worker that validates or finishes it.
  claimed_by text,
  claimed_until timestamptz
);
create index batch_by_age on batch (wallet_id, created_at, id);
create index batch_open on batch (wallet_id, served_at) where ended_at is null;
create index batch_by_end on batch (ended_at) where ended_at is not null;

create table batch_line (
  batch_id text not null references batch (id) on delete cascade,
  line integer not null,
  -- open, succeeded or failed.
  state text not null default 'open',
  attempts smallint not null default 0,
  next_run_at timestamptz not null default now(),
  -- Set while its outcome is unknown: with a time that is over, its worker was lost.
  claimed_by text,
  claimed_until timestamptz,
  -- The request while the line is open, its result afterwards; encrypted.
  sealed text not null,
  primary key (batch_id, line)
);
create index batch_line_open on batch_line (batch_id, next_run_at) where state = 'open';
create index batch_line_claimed on batch_line (claimed_by) where claimed_by is not null;
`;

/** Batches of calls, and their lines. */
export class Batches0048 implements Migration {
  readonly name = 'Batches1763700000048';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table batch_line, batch');
  }
}
