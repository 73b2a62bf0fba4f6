import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** What becomes of a whole answer whose caller has left, where a channel has it otherwise than its type. */
export class AbortPolicy0027 implements Migration {
  readonly name = 'AbortPolicy1763700000027';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table channel add column on_abort text
        constraint channel_on_abort check (on_abort in ('finish', 'cancel'))`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table channel drop column on_abort');
  }
}
