import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** Keys of a channel that take no new calls. A change of a channel is announced by the trigger that it has. */
export class DisabledKeys0074 implements Migration {
  readonly name = 'DisabledKeys1763700000074';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query("alter table channel add column disabled_keys text[] not null default '{}'");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table channel drop column disabled_keys');
  }
}
