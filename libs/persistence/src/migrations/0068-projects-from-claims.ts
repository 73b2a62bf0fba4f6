import type { QueryRunner } from 'typeorm';
import type { Migration } from '../schema/migration.js';

const TABLES = /* sql */ `
-- Values of the claim of single sign-on that let whoever has them into a project.
create table project_group (
  project_id uuid not null references project (id) on delete cascade,
  value text not null,
  role text not null check (role in ('owner', 'member', 'viewer')),
  primary key (project_id, value)
);
create index project_group_value on project_group (value);

-- What gave a membership: somebody, or a claim, which takes it away again.
alter table project_member add column origin text not null default 'console' check (origin in ('console', 'claim'));
`;

/** Memberships of projects that follow from claims of single sign-on. */
export class ProjectsFromClaims0068 implements Migration {
  readonly name = 'ProjectsFromClaims1763700000068';
  readonly kind = 'expand';

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(TABLES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table project_member drop column origin');
    await runner.query('drop table project_group');
  }
}
