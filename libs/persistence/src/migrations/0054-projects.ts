import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

const TABLES = /* sql */ `
-- People who share a wallet, which is the operator's: its calls are those of whoever has the key.
create table project (
  id uuid primary key,
  name text not null constraint project_name_key unique,
  wallet_id uuid not null constraint project_wallet_id_key unique references wallet (id),
  created_at timestamptz not null default now()
);

create table project_member (
  project_id uuid not null references project (id) on delete cascade,
  user_id uuid not null references app_user (id) on delete cascade,
  role text not null check (role in ('owner', 'member', 'viewer')),
  created_at timestamptz not null default now(),
  primary key (project_id, user_id)
);
create index project_member_user_id on project_member (user_id);
`;

/** Projects: a shared wallet, and members with roles. */
export class Projects0054 implements Migration {
  readonly name = 'Projects1763700000054';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table project_member, project');
  }
}
