import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';
import { CUT } from './0015-partitions/cut.js';
import { KEEP } from './0015-partitions/keep.js';
import { PREPARE } from './0015-partitions/prepare.js';

/** Makes ready for partitions: the journal by day, the log by month. */
export class PreparePartitions0015 implements Migration {
  readonly name = 'PreparePartitions1763700000015';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [PREPARE, KEEP, CUT]) await runner.query(sql);
    await runner.query(`select prepare_partitions('usage_journal', 'day')`);
    await runner.query(`select prepare_partitions('request_log', 'month')`);
  }

  async down(): Promise<void> {
    throw new Error('Rows that were set apart would be lost: restore a backup to go back.');
  }
}
