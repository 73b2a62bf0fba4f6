import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

const COLUMNS = /* sql */ `
alter table token add column if not exists former_key_hash text, add column if not exists former_key_until timestamptz
`;

/** Gateways know a token by either key. */
const ANNOUNCEMENTS = /* sql */ `
create or replace function announce_token_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('token_changed', old.key_hash);
  if old.former_key_hash is not null then
    perform pg_notify('token_changed', old.former_key_hash);
  end if;
  return null;
end $$;

create or replace function announce_limits_of_wallet() returns trigger language plpgsql as $$
begin
  perform pg_notify('token_changed', hash)
    from token t, unnest(array[t.key_hash, t.former_key_hash]) hash
    where t.wallet_id = new.id and t.deleted_at is null and hash is not null;
  return null;
end $$;

create or replace function announce_limits_of_user() returns trigger language plpgsql as $$
begin
  perform pg_notify('token_changed', hash)
    from token t join wallet w on w.id = t.wallet_id, unnest(array[t.key_hash, t.former_key_hash]) hash
    where coalesce(w.user_id, t.user_id) = new.id and t.deleted_at is null and hash is not null;
  return null;
end $$;

create or replace trigger token_former_key_announced after update of former_key_hash, former_key_until on token
  for each row when ((old.former_key_hash, old.former_key_until) is distinct from (new.former_key_hash, new.former_key_until))
  execute function announce_token_change();
`;

/** The key that a token had before a rotation, and until when it is still good. */
export class FormerKeys0076 implements Migration {
  readonly name = 'FormerKeys1763700000076';
  readonly kind = 'expand';
  /** An index beside the traffic is built outside of any transaction. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(COLUMNS);
    // What an attempt that was broken off has left behind.
    await runner.query('drop index concurrently if exists token_by_former_key');
    await runner.query(
      `create index concurrently token_by_former_key on token (former_key_hash) where former_key_hash is not null`,
    );
    await runner.query(ANNOUNCEMENTS);
  }

  down(): Promise<void> {
    throw new Error('This migration replaces functions of earlier ones: restore a backup to go back.');
  }
}
