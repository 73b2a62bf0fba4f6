import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

const COLUMN = /* sql */ `
-- Headers of the creating call that go with every line: betas of Anthropic's API.
alter table batch add column headers jsonb not null default '{}';
`;

/** Headers of the call that created a batch, for its lines. */
export class BatchHeaders0058 implements Migration {
  readonly name = 'BatchHeaders1763700000058';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COLUMN);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table batch drop column headers');
  }
}
