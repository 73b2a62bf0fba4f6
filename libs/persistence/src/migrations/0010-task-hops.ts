import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** The gateways that a video's order came through go on with it, so that one which comes back is known for a loop. */
export class TaskHops0010 implements Migration {
  readonly name = 'TaskHops1763700000010';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table task_order add column hops text');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table task_order drop column hops');
  }
}
