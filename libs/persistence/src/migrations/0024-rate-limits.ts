import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

const COLUMNS = /* sql */ `
-- {rpm, rpd, tpm, concurrency}; what is absent is not limited.
alter table token add column limits jsonb not null default '{}';
alter table wallet add column limits jsonb not null default '{}';
alter table app_user add column limits jsonb not null default '{}';
alter table model add column limits jsonb not null default '{}';
alter table channel add column limits jsonb not null default '{}';
`;

/** Models and channels are announced by every change of a row; a gateway reads tokens with the limits of wallet and user. */
const ANNOUNCEMENTS = /* sql */ `
create trigger token_limits_announced after update of limits on token
  for each row when (old.limits is distinct from new.limits) execute function announce_token_change();

create function announce_limits_of_wallet() returns trigger language plpgsql as $$
begin
  perform pg_notify('token_changed', t.key_hash) from token t where t.wallet_id = new.id and t.deleted_at is null;
  return null;
end $$;
create trigger wallet_limits_announced after update of limits on wallet
  for each row when (old.limits is distinct from new.limits) execute function announce_limits_of_wallet();

create function announce_limits_of_user() returns trigger language plpgsql as $$
begin
  perform pg_notify('token_changed', t.key_hash)
    from token t join wallet w on w.id = t.wallet_id
    where coalesce(w.user_id, t.user_id) = new.id and t.deleted_at is null;
  return null;
end $$;
create trigger user_limits_announced after update of limits on app_user
  for each row when (old.limits is distinct from new.limits) execute function announce_limits_of_user();
`;

/** Rates and concurrency of tokens, wallets, users, models and channels. */
export class RateLimits0024 implements Migration {
  readonly name = 'RateLimits1763700000024';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    for (const sql of [COLUMNS, ANNOUNCEMENTS]) await runner.query(sql);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function announce_limits_of_user, announce_limits_of_wallet cascade');
    await runner.query('drop trigger token_limits_announced on token');
    for (const table of ['token', 'wallet', 'app_user', 'model', 'channel']) {
      await runner.query(`alter table ${table} drop column limits`);
    }
  }
}
