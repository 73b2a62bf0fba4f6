import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** Cuts the usage journal by day: the table keeps its name, and old parts of it can be dropped as a whole. */
export class PartitionedJournal0017 implements Migration {
  readonly name = 'PartitionedJournal1763700000017';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`select cut_into_partitions('usage_journal')`);
  }

  async down(): Promise<void> {
    throw new Error('Rows would have to be moved: restore a backup to go back.');
  }
}
