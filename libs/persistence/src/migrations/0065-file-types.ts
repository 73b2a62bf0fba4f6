import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

const COLUMNS = /* sql */ `
-- What a file holds, as its sender says; null where nobody said it.
alter table stored_file add column mime_type text;
alter table stored_upload add column mime_type text;
`;

/** Media types of files that calls name. */
export class FileTypes0065 implements Migration {
  readonly name = 'FileTypes1763700000065';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COLUMNS);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table stored_upload drop column mime_type');
    await runner.query('alter table stored_file drop column mime_type');
  }
}
