import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** Finds the few videos that were given up after a provider had taken them. */
export class GivenUpVideos0023 implements Migration {
  readonly name = 'GivenUpVideos1763700000023';
  readonly kind = 'expand';
  /** An index beside the traffic is built outside of any transaction. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    // What an attempt that was broken off has left behind.
    await runner.query('drop index concurrently if exists task_given_up');
    await runner.query(`create index concurrently task_given_up on task (finished_at)
      where state in ('expired', 'cancelled') and submitted_at is not null`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index task_given_up');
  }
}
