import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';
import { WASTE } from './0019-waste/waste.js';

/** What attempts that no caller pays for cost us, as an estimate: told by the journal, booked by billing. */
export class Waste0019 implements Migration {
  readonly name = 'Waste1763700000019';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(WASTE);
  }

  async down(): Promise<void> {
    throw new Error('What was booked as waste would be lost: restore a backup to go back.');
  }
}
