import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

const TABLES = /* sql */ `
-- A link that lets one person into a project, once. Of its text only a hash is stored.
create table project_invitation (
  id uuid primary key,
  project_id uuid not null references project (id) on delete cascade,
  token_hash text not null unique,
  role text not null check (role in ('owner', 'member', 'viewer')),
  -- Whom it is for; null for whoever has the link.
  email text,
  -- It is good while they may still invite.
  created_by uuid not null references app_user (id) on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  -- Who has used it; null again when their user is taken back, since nobody could open the wallet.
  accepted_by uuid references app_user (id) on delete set null
);
create index project_invitation_project_id on project_invitation (project_id);
create index project_invitation_created_by on project_invitation (created_by);
create index project_invitation_accepted_by on project_invitation (accepted_by);
create index project_invitation_expires_at on project_invitation (expires_at);

-- Whether nobody but the user has said that the address is theirs: single sign-on links nobody by such an address.
alter table app_user add column email_claimed boolean not null default false;
`;

/** Invitations to projects by link, and users who come by one. */
export class Invitations0055 implements Migration {
  readonly name = 'Invitations1763700000055';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table app_user drop column email_claimed');
    await runner.query('drop table project_invitation');
  }
}
