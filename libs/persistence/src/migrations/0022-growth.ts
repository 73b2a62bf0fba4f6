import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';
import { EXPIRY } from './0022-growth/expiry.js';
import { PARTITIONS } from './0022-growth/partitions.js';
import { REFUNDED_VIDEOS } from './0022-growth/refunded-videos.js';

/** Every kind of row that grows can expire, old partitions go without a lock on their table, and videos that were refunded are waste. */
export class Growth0022 implements Migration {
  readonly name = 'Growth1763700000022';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [PARTITIONS, EXPIRY, REFUNDED_VIDEOS]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('This migration replaces functions of earlier ones: restore a backup to go back.');
  }
}
