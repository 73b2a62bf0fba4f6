import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

const TABLES = /* sql */ `
-- The second factor of a user: the secret of their authenticator app, sealed as channel keys are.
create table user_totp (
  user_id uuid primary key references app_user (id) on delete cascade,
  sealed text not null,
  begun_at timestamptz not null default now(),
  -- When a first code proved that the app has the secret; until then no code is asked for.
  enabled_at timestamptz,
  -- The time step, of 30 seconds since 1970, of the last code that was accepted: no code is good twice.
  last_step integer not null default 0
);

-- Codes for whoever has lost the app. Each is deleted when it is used.
create table user_recovery_code (
  user_id uuid not null references user_totp (user_id) on delete cascade,
  code_hash text not null,
  primary key (user_id, code_hash)
);
`;

/** Time-based one-time passwords (RFC 6238) as second factor of users. */
export class SecondFactor0043 implements Migration {
  readonly name = 'SecondFactor1763700000043';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table user_recovery_code, user_totp');
  }
}
