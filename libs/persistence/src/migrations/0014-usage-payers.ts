import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';
import { INSTALLATION } from './0014-usage-payers/installation.js';
import { LATE_CHARGES } from './0014-usage-payers/late-charges.js';

/** Usage says who pays for it, also when its hold was lost; and an installation has a secret for its messages over Redis. */
export class UsagePayers0014 implements Migration {
  readonly name = 'UsagePayers1763700000014';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [LATE_CHARGES, INSTALLATION]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('This migration replaces a function of an earlier one: restore a backup to go back.');
  }
}
