import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

const TABLES = /* sql */ `
-- Who a user is at an OpenID Connect issuer.
create table sso_identity (
  issuer text not null,
  subject text not null,
  user_id uuid not null references app_user (id) on delete cascade,
  created_at timestamptz not null default now(),
  primary key (issuer, subject),
  constraint sso_identity_user_key unique (user_id, issuer)
);

-- A browser that was sent to the issuer. Deleted when it comes back, so that no state is good twice.
create table sso_login (
  state_hash text primary key,
  browser_hash text not null,
  nonce text not null,
  code_verifier text not null,
  -- Whoever is signed in, in which session, and links themselves; null for whoever signs in.
  user_id uuid references app_user (id) on delete cascade,
  session_id uuid,
  expires_at timestamptz not null
);
create index sso_login_expires_at on sso_login (expires_at);

-- A code that the page exchanges for a session. Deleted when it is used.
create table sso_handover (
  code_hash text primary key,
  browser_hash text not null,
  user_id uuid not null references app_user (id) on delete cascade,
  expires_at timestamptz not null
);
create index sso_handover_expires_at on sso_handover (expires_at);
create index sso_handover_user_id on sso_handover (user_id);
`;

/** Single sign-on of the Console's users through OpenID Connect. */
export class SingleSignOn0046 implements Migration {
  readonly name = 'SingleSignOn1763700000046';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table sso_handover, sso_login, sso_identity');
  }
}
