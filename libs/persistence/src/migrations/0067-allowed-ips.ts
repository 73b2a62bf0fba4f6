import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** Addresses and networks that a key may be used from. */
export class AllowedIps0067 implements Migration {
  readonly name = 'AllowedIps1763700000067';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table token add column allowed_ips text[]');
    await runner.query(
      `create trigger token_allowed_ips_announced after update of allowed_ips on token
         for each row when (old.allowed_ips is distinct from new.allowed_ips) execute function announce_token_change()`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger token_allowed_ips_announced on token');
    await runner.query('alter table token drop column allowed_ips');
  }
}
