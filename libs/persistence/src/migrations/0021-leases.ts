import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';
import { LEASE_DRIFT } from './0021-leases/lease-drift.js';
import { LEASE_POSTING, LEASE_POSTING_TYPES } from './0021-leases/lease-posting.js';
import { LEASE_SWEEP } from './0021-leases/lease-sweep.js';
import { LEASE_TABLES } from './0021-leases/lease-tables.js';
import { LEASE_VERBS } from './0021-leases/lease-verbs.js';

/** Leases: gateways admit calls of ample wallets from slices in memory. */
export class Leases0021 implements Migration {
  readonly name = 'Leases1763700000021';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [
      LEASE_TABLES,
      LEASE_VERBS,
      LEASE_POSTING_TYPES,
      LEASE_POSTING,
      LEASE_SWEEP,
      LEASE_DRIFT,
    ]) {
      await runner.query(sql);
    }
  }

  async down(): Promise<void> {
    throw new Error('This migration replaces functions of earlier ones: restore a backup to go back.');
  }
}
