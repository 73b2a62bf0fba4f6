import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';
import { CREDIT_LIMIT } from './0009-money-guards/credit-limit.js';
import { HOLD_BATCH } from './0009-money-guards/hold-batch.js';
import { POST_USAGE } from './0009-money-guards/post-usage.js';
import { SILENT_LIVES } from './0009-money-guards/silent-lives.js';

/** Limits how long money waits for a lock, how far a wallet may go below zero, and how long a silent process owns anything. */
export class MoneyGuards0009 implements Migration {
  readonly name = 'MoneyGuards1763700000009';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [CREDIT_LIMIT, HOLD_BATCH, POST_USAGE, SILENT_LIVES]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('This migration replaces functions of earlier ones: restore a backup to go back.');
  }
}
