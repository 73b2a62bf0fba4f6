import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';
import { CHECK_STEPS } from './0012-ledger-check/check-steps.js';
import { RECENT_DRIFT } from './0012-ledger-check/recent-drift.js';
import { SUM_TABLES } from './0012-ledger-check/sum-tables.js';

/** Sums of the ledger that are kept, so that checking the books takes as long as the newest entries and not as all of them. */
export class LedgerCheck0012 implements Migration {
  readonly name = 'LedgerCheck1763700000012';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [SUM_TABLES, RECENT_DRIFT, CHECK_STEPS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function ledger_check_step(integer, integer, interval)');
    await runner.query('drop function note_suspect_tasks(uuid, integer)');
    await runner.query('drop function add_to_ledger_sum(bigint, bigint, bigint)');
    await runner.query('drop function note_settled_entries()');
    await runner.query('drop function recent_drift()');
    await runner.query('drop function task_drift_of(uuid[])');
    await runner.query('drop table suspect_task, ledger_check, ledger_sum');
  }
}
