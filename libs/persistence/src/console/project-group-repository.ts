import type { EntityManager } from 'typeorm';
import type { ProjectRole } from './owner-scope.js';
import type { MemberOrigin } from './project-repository.js';

/** A value of the claim of single sign-on, and as what it lets somebody into a project. */
export interface ProjectGroup {
  readonly value: string;
  readonly role: ProjectRole;
}

/** A membership that claims say somebody has. */
export interface ClaimedMembership {
  readonly projectId: string;
  readonly role: ProjectRole;
}

interface GivenMembership extends ClaimedMembership {
  readonly origin: MemberOrigin;
}

/** Which claims let whom into which project. */
export class ProjectGroupRepository {
  constructor(private readonly manager: EntityManager) {}

  /** By value. */
  list(projectId: string): Promise<ProjectGroup[]> {
    return this.manager.query<ProjectGroup[]>(
      'select value, role from project_group where project_id = $1 order by value',
      [projectId],
    );
  }

  /** Puts these in place of those that a project has. @param groups of different values. */
  async replace(projectId: string, groups: readonly ProjectGroup[]): Promise<void> {
    await this.manager.query('delete from project_group where project_id = $1', [projectId]);
    await this.manager.query(
      `insert into project_group (project_id, value, role)
       select $1, r.value, r.role from jsonb_to_recordset($2::jsonb) as r (value text, role text)`,
      [projectId, JSON.stringify(groups)],
    );
  }

  /** What whoever has these values is in which project, by its id: of several roles the highest. */
  listClaimed(values: readonly string[]): Promise<ClaimedMembership[]> {
    return this.manager.query<ClaimedMembership[]>(
      `select distinct on (project_id) project_id as "projectId", role from project_group where value = any($1)
        order by project_id, array_position(array['owner', 'member', 'viewer'], role)`,
      [values],
    );
  }

  /** Every project that a user is in, and what gave them that. */
  listMemberships(userId: string): Promise<GivenMembership[]> {
    return this.manager.query<GivenMembership[]>(
      'select project_id as "projectId", role, origin from project_member where user_id = $1',
      [userId],
    );
  }
}
