import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** What the Responses API remembers of a wallet's calls, so that later ones can go on from there. */
export class StoredResponses0039 implements Migration {
  readonly name = 'StoredResponses1763700000039';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    // The reference to wallet locks it against changes. Calls read their token before they change its wallet: with the
    // wallet locked first, the change of token would wait for a call that waits for the wallet.
    await runner.manager.query('lock table token in access exclusive mode');
    await runner.query(
      `create table stored_response (
        wallet_id uuid not null references wallet (id),
        id text not null,
        -- The response that it goes on from.
        previous_id text,
        -- Ids of its items, by which later calls refer to them.
        item_ids text[] not null,
        bytes integer not null,
        -- Input and answer, encrypted by the gateway.
        sealed text not null,
        created_at timestamptz not null default now(),
        primary key (wallet_id, id)
      )`,
    );
    await runner.query('create index stored_response_by_age on stored_response (created_at)');
    await runner.query('create index stored_response_by_item on stored_response using gin (item_ids)');
    await runner.query('alter table token add column store_responses boolean not null default true');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table token drop column store_responses');
    await runner.query('drop table stored_response');
  }
}
