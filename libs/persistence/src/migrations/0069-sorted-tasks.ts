import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

const INDEXES = {
  task_by_model: '(model_slug, id)',
  task_by_seconds: '(seconds, id)',
  task_by_charge: '(coalesce(charged, 0), id)',
} as const;

/** What the Console's list of video tasks is sorted by. */
export class SortedTasks0069 implements Migration {
  readonly name = 'SortedTasks1763700000069';
  readonly kind = 'expand';
  /** An index beside the traffic is built outside of any transaction. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, columns] of Object.entries(INDEXES)) {
      // What an attempt that was broken off has left behind.
      await runner.query(`drop index concurrently if exists ${name}`);
      await runner.query(`create index concurrently ${name} on task ${columns}`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`drop index ${Object.keys(INDEXES).join(', ')}`);
  }
}
