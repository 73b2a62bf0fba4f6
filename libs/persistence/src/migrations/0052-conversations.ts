import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** Conversations of the Responses API: items that their callers and their responses add to. */
export class Conversations0052 implements Migration {
  readonly name = 'Conversations1763700000052';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `create table conversation (
        id text primary key,
        wallet_id uuid not null references wallet (id),
        -- Its metadata, encrypted by the gateway.
        sealed text not null,
        -- What its items take together, how many there are, and the place of the next one.
        bytes bigint not null default 0,
        item_count integer not null default 0,
        next_position bigint not null default 0,
        created_at timestamptz not null default now(),
        -- When it was last written to.
        used_at timestamptz not null default now()
      )`,
    );
    await runner.query('create index conversation_by_wallet on conversation (wallet_id, used_at)');
    await runner.query('create index conversation_by_use on conversation (used_at)');
    await runner.query(
      `create table conversation_item (
        conversation_id text not null references conversation (id) on delete cascade,
        id text not null,
        position bigint not null,
        bytes integer not null,
        -- The item as it was given, encrypted by the gateway.
        sealed text not null,
        primary key (conversation_id, id),
        unique (conversation_id, position)
      )`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table conversation_item, conversation');
  }
}
