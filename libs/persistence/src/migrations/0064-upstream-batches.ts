import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

const TABLES = /* sql */ `
-- Lines of a batch that a provider carries out as a batch of its own.
create table upstream_batch (
  -- By which it is known at the provider too.
  id uuid primary key,
  batch_id text not null references batch (id) on delete cascade,
  wallet_id uuid not null,
  -- The one channel and the one key that it is made, asked for and cancelled with.
  channel_id uuid not null,
  -- SHA-256 of the key.
  key_fingerprint text not null,
  -- The provider's name of the one model that its requests are for.
  upstream_model text not null,
  -- gathering, uploading, creating, running or ended.
  state text not null default 'gathering',
  lines integer not null default 0,
  bytes bigint not null default 0,
  file_id text,
  upstream_id text,
  -- When the last request that creates it was about to be sent: the provider may have it since.
  creating_since timestamptz,
  cancelled_at timestamptz,
  failures smallint not null default 0,
  created_at timestamptz not null default now(),
  ended_at timestamptz,
  -- How it ended, for operators.
  outcome text,
  next_run_at timestamptz not null default now(),
  claimed_by text,
  claimed_until timestamptz
);
-- One of each wallet, key and model at a time: what is held for it is away for as long as a day.
create unique index upstream_batch_open on upstream_batch (wallet_id, channel_id, key_fingerprint, upstream_model) where ended_at is null;
create index upstream_batch_due on upstream_batch (next_run_at) where ended_at is null;
create index upstream_batch_of on upstream_batch (batch_id);

alter table batch_line
  -- Under which a line is held for and charged, where it is offered to a provider.
  add column request_id uuid,
  add column upstream_batch_id uuid,
  -- What its settlement has to know of its hold.
  add column held jsonb,
  -- What the provider is sent, until it is uploaded; encrypted.
  add column upstream_sealed text,
  -- Channel, key and model whose batch in progress it waits for.
  add column waits_for text,
  -- It is made as a call: its provider has not carried it out.
  add column is_call boolean not null default false;
`;

/** Batches at providers. */
export class UpstreamBatches0064 implements Migration {
  readonly name = 'UpstreamBatches1763700000064';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table batch_line drop column request_id, drop column upstream_batch_id, drop column held,
         drop column upstream_sealed, drop column waits_for, drop column is_call`,
    );
    await runner.query('drop table upstream_batch');
  }
}
