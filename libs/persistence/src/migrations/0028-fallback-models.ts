import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** Models that calls of a model may go to, and when. */
export class FallbackModels0028 implements Migration {
  readonly name = 'FallbackModels1763700000028';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table model
        add column fallback text[] not null default '{}',
        add column fallback_on text[] not null default '{failure}'
          constraint model_fallback_on check (fallback_on <@ array['failure', 'context', 'refusal'])`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table model drop column fallback, drop column fallback_on');
  }
}
