import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';
import { COUNT_EARLIER_CALLS } from './0006-usage-cells/count-earlier-calls.js';
import { USAGE_CHANGES } from './0006-usage-cells/usage-changes.js';
import { USAGE_FOLD } from './0006-usage-cells/usage-fold.js';
import { USAGE_TABLES } from './0006-usage-cells/usage-tables.js';

/** Sums of usage that are kept, so that nobody adds up calls who asks for a month. */
export class UsageCells0006 implements Migration {
  readonly name = 'UsageCells1763700000006';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [USAGE_TABLES, USAGE_CHANGES, USAGE_FOLD, COUNT_EARLIER_CALLS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function usage_fold(integer)');
    await runner.query('drop function usage_of_new_calls() cascade');
    await runner.query('drop function usage_of_changed_calls() cascade');
    await runner.query('drop function usage_of_money() cascade');
    await runner.query('drop function usage_class(integer)');
    await runner.query('drop table usage_change, usage_cell');
  }
}
