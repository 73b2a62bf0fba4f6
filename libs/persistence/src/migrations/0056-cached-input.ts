import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';
import { CACHED_FOLD } from './0056-cached-input/cached-fold.js';

const COLUMNS = /* sql */ `
-- Part of the input tokens. Calls that were counted by an earlier version have none.
alter table usage_change add column cached_input_tokens bigint not null default 0;
alter table usage_cell add column cached_input_tokens bigint not null default 0;
`;

const CHANGES = /* sql */ `
-- As before, with cached input.
create or replace function usage_of_new_calls() returns trigger language plpgsql security definer as $$
begin
  insert into usage_change (request_id, calls, errors, input_tokens, output_tokens, cached_input_tokens, cost, latency_ms,
    ttft_ms)
  select n.request_id, 1, (n.status >= 400)::integer,
    coalesce((n.usage ->> 'input_tokens')::bigint, 0), coalesce((n.usage ->> 'output_tokens')::bigint, 0),
    coalesce((n.usage ->> 'cached_input_tokens')::bigint, 0),
    case when n.lease_id is not null or exists (select from hold h where h.id = n.request_id) then 0 else n.cost end,
    n.latency_ms, n.ttft_ms
  from new_rows n;
  return null;
end $$;

-- What a lost call used may be learnt later.
create or replace function usage_of_changed_calls() returns trigger language plpgsql security definer as $$
begin
  insert into usage_change (request_id, input_tokens, output_tokens, cached_input_tokens)
  select n.request_id,
    coalesce((n.usage ->> 'input_tokens')::bigint, 0) - coalesce((o.usage ->> 'input_tokens')::bigint, 0),
    coalesce((n.usage ->> 'output_tokens')::bigint, 0) - coalesce((o.usage ->> 'output_tokens')::bigint, 0),
    coalesce((n.usage ->> 'cached_input_tokens')::bigint, 0) - coalesce((o.usage ->> 'cached_input_tokens')::bigint, 0)
  from new_rows n join old_rows o on o.request_id = n.request_id where n.usage <> o.usage;
  return null;
end $$;
`;

/** Cached input in the sums of usage. */
export class CachedInput0056 implements Migration {
  readonly name = 'CachedInput1763700000056';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [COLUMNS, CHANGES, CACHED_FOLD]) await runner.query(sql);
  }

  async down(): Promise<void> {
    throw new Error(
      'The functions of before are those of migrations 0006 and 0021: restore a backup to go back.',
    );
  }
}
