import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

/** Whether prompts of a channel are marked for its provider's cache where the caller marked nothing. */
export class PromptCaching0040 implements Migration {
  readonly name = 'PromptCaching1763700000040';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `alter table channel add column prompt_caching text not null default 'auto'
        constraint channel_prompt_caching check (prompt_caching in ('auto', 'off'))`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table channel drop column prompt_caching');
  }
}
