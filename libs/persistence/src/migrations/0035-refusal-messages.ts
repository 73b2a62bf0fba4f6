import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** What callers whose calls failed were told stays in the log. */
export class RefusalMessages0035 implements Migration {
  readonly name = 'RefusalMessages1763700000035';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table request_log add column error_message text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table request_log drop column error_message');
  }
}
