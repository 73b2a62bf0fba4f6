import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

const TABLES = /* sql */ `
-- What a provider keeps of a prompt for a wallet. The prompt itself is not here.
create table cached_content (
  wallet_id uuid not null,
  id text not null,
  model_slug text not null,
  -- Nobody but the channel and the key that made it has it.
  channel_id uuid not null,
  key_hash text,
  upstream_name text not null,
  display_name text,
  tokens bigint not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Until when its storage was charged for.
  paid_until timestamptz not null,
  primary key (wallet_id, id)
);
create index cached_content_by_end on cached_content (expires_at);
`;

/** Prompts that providers keep for callers of Google's protocol. */
export class CachedContents0062 implements Migration {
  readonly name = 'CachedContents1763700000062';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table cached_content');
  }
}
