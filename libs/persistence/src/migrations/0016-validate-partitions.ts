import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** Reads what becomes the first partition, beside the traffic, so that it need not be read under a lock. */
export class ValidatePartitions0016 implements Migration {
  readonly name = 'ValidatePartitions1763700000016';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table usage_journal validate constraint usage_journal_is_before');
    await runner.query('alter table request_log validate constraint request_log_is_before');
  }

  async down(): Promise<void> {
    return Promise.resolve();
  }
}
