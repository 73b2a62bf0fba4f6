import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

const TABLES = /* sql */ `
-- How long bodies of the token's calls are kept, in seconds; null for not at all. capture_until: the moment from which on no
-- more of them are kept; null in a token of the configuration file, which says it as long as it stands there.
alter table token
  add column capture_seconds integer constraint token_capture_seconds check (capture_seconds between 1 and 604800),
  add column capture_until timestamptz;

-- A body of a call whose token asked for it: redacted, cut to a size and sealed as channel keys are.
create table captured_body (
  request_id uuid not null,
  part text not null check (part in ('request', 'response')),
  token_id uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  content_type text not null,
  -- Of the whole body, of which the sealed text may be the beginning.
  bytes bigint not null,
  truncated boolean not null,
  sealed text not null,
  primary key (request_id, part)
);
create index captured_body_by_token on captured_body (token_id, request_id);
create index captured_body_by_expiry on captured_body (expires_at);
`;

const FUNCTIONS = /* sql */ `
create trigger token_capture_announced after update of capture_seconds, capture_until on token
  for each row when (old.capture_seconds is distinct from new.capture_seconds
    or old.capture_until is distinct from new.capture_until) execute function announce_token_change();

-- Deletes bodies whose time is over, oldest first, so many at most.
create function expire_captured_bodies(p_limit integer) returns integer language sql security definer as $$
  with doomed as (
    select b.request_id, b.part from captured_body b where b.expires_at <= now()
    order by b.expires_at limit p_limit for update skip locked
  ), gone as (
    delete from captured_body b using doomed d where (b.request_id, b.part) = (d.request_id, d.part) returning 1
  )
  select count(*)::integer from gone;
$$;
`;

/** Bodies of requests and answers, of tokens that ask for it and for a while. */
export class BodyCapture0036 implements Migration {
  readonly name = 'BodyCapture1763700000036';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [TABLES, FUNCTIONS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function expire_captured_bodies(integer)');
    await runner.query('drop trigger token_capture_announced on token');
    await runner.query('drop table captured_body');
    await runner.query('alter table token drop column capture_seconds, drop column capture_until');
  }
}
