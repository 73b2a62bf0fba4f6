import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

const TABLES = /* sql */ `
-- In the place of the body: how many parts a long answer has.
alter table idempotent_reply add column parts integer;

-- A long answer in Brotli's format, cut into parts, each of them encrypted where the answer is.
create table idempotent_reply_part (
  token_id uuid not null,
  key text not null,
  part integer not null,
  content bytea,
  sealed text,
  primary key (token_id, key, part),
  foreign key (token_id, key) references idempotent_reply (token_id, key) on delete cascade,
  check (num_nonnulls(content, sealed) = 1)
);
-- Neither can be compressed once more.
alter table idempotent_reply_part alter column content set storage external, alter column sealed set storage external;
`;

/**
 * Long answers for an Idempotency-Key are kept in parts, in a table of their own. A gateway of the version before waits for such
 * an answer as for a call that is still going on.
 */
export class ReplyParts0085 implements Migration {
  readonly name = 'ReplyParts1763700000085';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    // An answer of which the parts are gone would be waited for until its time is over.
    await runner.query('delete from idempotent_reply where parts is not null');
    await runner.query('drop table idempotent_reply_part');
    await runner.query('alter table idempotent_reply drop column parts');
  }
}
