import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** Cuts the request log by month: the table keeps its name, and old parts of it can be dropped as a whole. */
export class PartitionedLog0018 implements Migration {
  readonly name = 'PartitionedLog1763700000018';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`select cut_into_partitions('request_log')`);
  }

  async down(): Promise<void> {
    throw new Error('Rows would have to be moved: restore a backup to go back.');
  }
}
