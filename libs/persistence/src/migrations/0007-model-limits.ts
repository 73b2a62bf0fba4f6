import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** How many tokens a model's prompt can have: the bound of what cannot be counted before the call. */
export class ModelLimits0007 implements Migration {
  readonly name = 'ModelLimits1763700000007';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table model add column context_window integer constraint model_context_window check (context_window > 0)',
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table model drop column context_window');
  }
}
