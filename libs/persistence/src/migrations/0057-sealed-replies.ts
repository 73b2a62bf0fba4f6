import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

const COLUMN = /* sql */ `
-- In the place of the body: the answer to a line of a batch, encrypted.
alter table idempotent_reply add column sealed text;
`;

/** Answers to lines of batches are encrypted until they stand in their results. */
export class SealedReplies0057 implements Migration {
  readonly name = 'SealedReplies1763700000057';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COLUMN);
  }

  async down(runner: QueryRunner): Promise<void> {
    // An answer of which the body is gone would be sent as an empty one.
    await runner.query('delete from idempotent_reply where sealed is not null');
    await runner.query('alter table idempotent_reply drop column sealed');
  }
}
