import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

const COLUMN = /* sql */ `
-- In the place of the body: a long answer in Brotli's format, which Postgres is not to compress once more.
alter table idempotent_reply add column compressed bytea;
alter table idempotent_reply alter column compressed set storage external;
`;

/**
 * Long answers for an Idempotency-Key are compressed by the gateway. One of the version before waits for such an answer as for
 * a call that is still going on.
 */
export class CompressedReplies0084 implements Migration {
  readonly name = 'CompressedReplies1763700000084';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COLUMN);
  }

  async down(runner: QueryRunner): Promise<void> {
    // An answer of which the body is gone would be sent as an empty one.
    await runner.query('delete from idempotent_reply where compressed is not null');
    await runner.query('alter table idempotent_reply drop column compressed');
  }
}
