import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** How old an answer may be that the calls of a token are given again. */
export class TokenCache0030 implements Migration {
  readonly name = 'TokenCache1763700000030';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table token add column cache_ms integer constraint token_cache check (cache_ms > 0)',
    );
    await runner.query(
      `create trigger token_cache_announced after update of cache_ms on token
         for each row when (old.cache_ms is distinct from new.cache_ms) execute function announce_token_change()`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop trigger token_cache_announced on token');
    await runner.query('alter table token drop column cache_ms');
  }
}
