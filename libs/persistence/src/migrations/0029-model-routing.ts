import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** How the channels of a model are chosen, and how long its streams may take to begin. */
export class ModelRouting0029 implements Migration {
  readonly name = 'ModelRouting1763700000029';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table model
        add column routing text not null default 'priority'
          constraint model_routing check (routing in ('priority', 'latency', 'busy', 'cost')),
        add column sticky boolean not null default false,
        add column first_token_timeout_ms integer
          constraint model_first_token_timeout check (first_token_timeout_ms > 0)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'alter table model drop column routing, drop column sticky, drop column first_token_timeout_ms',
    );
  }
}
