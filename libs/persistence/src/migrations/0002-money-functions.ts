import type { MigrationInterface, QueryRunner } from 'typeorm';
import { DRIFT } from './0002-money-functions/drift.js';
import { HOLD_OPEN } from './0002-money-functions/hold-open.js';
import { SETTLE } from './0002-money-functions/settle.js';
import { SWEEP } from './0002-money-functions/sweep.js';
import { WALLETS } from './0002-money-functions/wallets.js';

/** The hottest rows are a few wallets and tokens: room on their pages keeps each update in place. */
const STORAGE = /* sql */ `
alter table wallet set (fillfactor = 25);
alter table token set (fillfactor = 50);
`;

/** One function for each verb on money: one round trip, one transaction, idempotent by id. Nothing else changes money. */
export class MoneyFunctions0002 implements MigrationInterface {
  readonly name = 'MoneyFunctions1763700000002';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [STORAGE, HOLD_OPEN, SETTLE, WALLETS, SWEEP, DRIFT]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('The money functions cannot be undone: holds and entries depend on them.');
  }
}
