import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** Responses that an upstream keeps as well, for later calls to go on from there. */
export class HeldResponses0079 implements Migration {
  readonly name = 'HeldResponses1763700000079';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `-- The channel, and the SHA-256 of its key: nobody else has what they keep.
      alter table stored_response add column channel_id uuid, add column key_hash text`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table stored_response drop column channel_id, drop column key_hash');
  }
}
