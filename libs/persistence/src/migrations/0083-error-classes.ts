import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';
import { CACHED_FOLD } from './0056-cached-input/cached-fold.js';
import { CLASSED_FOLD } from './0083-error-classes/classed-fold.js';

const COLUMNS = /* sql */ `
-- Parts of the errors: answers of 4xx, and of 500 and above. Errors that were summed by an earlier version are in neither.
alter table usage_cell add column client_errors bigint not null default 0,
  add column server_errors bigint not null default 0;
`;

/**
 * Errors that callers can mend apart from all others, in the sums of usage. Only the fold changes, and it reads the status in
 * the log: calls that an older gateway logs, and those that wait when this runs, are told apart too.
 */
export class ErrorClasses0083 implements Migration {
  readonly name = 'ErrorClasses1763700000083';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [COLUMNS, CLASSED_FOLD]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(CACHED_FOLD);
    await runner.query('alter table usage_cell drop column client_errors, drop column server_errors');
  }
}
