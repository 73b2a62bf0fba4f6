import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** Who disabled a key, as what; null for who is not known and for keys that lost their rights: those are their user's to enable. */
export class DisabledBy0049 implements Migration {
  readonly name = 'DisabledBy1763700000049';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table token add column disabled_by text
         constraint token_disabled_by check (disabled_by in ('user', 'owner', 'administrator'))`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table token drop column disabled_by');
  }
}
