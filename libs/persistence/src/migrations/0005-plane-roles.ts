import type { QueryRunner } from 'typeorm';
import { createRoles } from '../roles/create-roles.js';
import type { Migration } from '../schema/migration.js';
import { CHANNEL_CREDENTIALS } from './0005-plane-roles/channel-credentials.js';
import { NARROW_WRITES } from './0005-plane-roles/narrow-writes.js';

/** A role for each plane, and what lets it do its work with no more rights than that takes. Grants follow the last migration. */
export class PlaneRoles0005 implements Migration {
  readonly name = 'PlaneRoles1763700000005';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await createRoles(runner.manager);
    for (const sql of [CHANNEL_CREDENTIALS, NARROW_WRITES]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error('Roles belong to the whole cluster and stay.');
  }
}
