import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';
import { BUDGET_LEASES } from './0025-budgets/budget-leases.js';
import { BUDGET_ROOM } from './0025-budgets/budget-room.js';
import { BUDGET_SPENDING } from './0025-budgets/budget-spending.js';
import { BUDGET_SETTINGS, BUDGET_TABLES } from './0025-budgets/budget-tables.js';

/** Budgets by day, week and month, checked in the transaction that holds money. */
export class Budgets0025 implements Migration {
  readonly name = 'Budgets1763700000025';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [BUDGET_TABLES, BUDGET_SETTINGS, BUDGET_SPENDING, BUDGET_ROOM, BUDGET_LEASES]) {
      await runner.query(sql);
    }
  }

  async down(): Promise<void> {
    throw new Error('This migration replaces functions of earlier ones: restore a backup to go back.');
  }
}
