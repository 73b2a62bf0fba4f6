import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** What the requests of a provider's batch are for: another path than that of its lines where they are converted. */
export class UpstreamEndpoints0070 implements Migration {
  readonly name = 'UpstreamEndpoints1763700000070';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    // Below the versioned base address. A batch from before that is not created yet is refused without it, and made as calls.
    await runner.query(`alter table upstream_batch add column endpoint text not null default ''`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table upstream_batch drop column endpoint');
  }
}
