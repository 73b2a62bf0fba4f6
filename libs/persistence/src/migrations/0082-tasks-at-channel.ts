import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** Counts the tasks that a channel has at the moment, which its limit of calls at the same time is about. */
export class TasksAtChannel0082 implements Migration {
  readonly name = 'TasksAtChannel1763700000082';
  readonly kind = 'expand';
  /** An index beside the traffic is built outside of any transaction. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // What an attempt that was broken off has left behind.
    await runner.query('drop index concurrently if exists task_at_channel');
    await runner.query(
      `create index concurrently task_at_channel on task (channel_id)
        where state in ('submitting', 'submitted', 'running')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index task_at_channel');
  }
}
