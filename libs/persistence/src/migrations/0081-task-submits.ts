import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** How the submits of a video task went, for the line that its order has in the log. */
export class TaskSubmits0081 implements Migration {
  readonly name = 'TaskSubmits1763700000081';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`alter table task add column submits jsonb not null default '[]'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table task drop column submits');
  }
}
