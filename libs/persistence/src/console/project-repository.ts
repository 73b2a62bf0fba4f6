import type { EntityManager } from 'typeorm';
import type { Membership, OwnerScope, ProjectRole } from './owner-scope.js';
import { cutPage, type Page, type PageRequest, type RowChoice, toPattern } from './page.js';

export interface ProjectRow {
  readonly id: string;
  readonly name: string;
  readonly walletId: string;
  readonly createdAt: Date;
}

/** A project as somebody sees it. */
export interface SeenProject extends ProjectRow {
  /** What they are in it; `null` for administrators who are nothing in it. */
  readonly role: ProjectRole | null;
}

export const MEMBER_ORIGINS = ['console', 'claim'] as const;
/** What gave a membership: somebody in the Console, or a claim of single sign-on. */
export type MemberOrigin = (typeof MEMBER_ORIGINS)[number];

export interface ProjectMember {
  readonly userId: string;
  readonly email: string;
  readonly name: string;
  readonly role: ProjectRole;
  readonly origin: MemberOrigin;
  readonly createdAt: Date;
}

const COLUMNS = 'p.id, p.name, p.wallet_id as "walletId", p.created_at as "createdAt"';
const MEMBER_COLUMNS =
  'm.user_id as "userId", u.email, u.name, m.role, m.origin, m.created_at as "createdAt"';

/** Projects and who is in them. */
export class ProjectRepository {
  constructor(private readonly manager: EntityManager) {}

  /** Every project that a user is in. */
  listMemberships(userId: string): Promise<Membership[]> {
    return this.manager.query<Membership[]>(
      `select m.project_id as "projectId", p.wallet_id as "walletId", m.role
         from project_member m join project p on p.id = m.project_id where m.user_id = $1`,
      [userId],
    );
  }

  /** Those that somebody sees, newest first. @param userId whose role is told. */
  async list(
    scope: OwnerScope,
    userId: string,
    page: PageRequest,
    choice: RowChoice = {},
  ): Promise<Page<SeenProject>> {
    const rows = await this.manager.query<SeenProject[]>(
      `select ${COLUMNS}, m.role from project p left join project_member m on m.project_id = p.id and m.user_id = $1
        where ($2 or m.role is not null) and ($3::uuid is null or p.id < $3) and ($4::text is null or p.name ilike $4)
          and ($5::uuid[] is null or p.id = any($5))
        order by p.id desc limit $6`,
      [
        userId,
        scope.kind === 'everyone',
        page.after ?? null,
        choice.search === undefined ? null : toPattern(choice.search),
        choice.ids ?? null,
        page.limit + 1,
      ],
    );
    return cutPage(rows, page.limit, (row) => row.id);
  }

  async find(id: string): Promise<ProjectRow | undefined> {
    const [row] = await this.manager.query<ProjectRow[]>(`select ${COLUMNS} from project p where p.id = $1`, [
      id,
    ]);
    return row;
  }

  /** Finds a project and keeps everybody else from changing it, or who is in it, until the transaction ends. */
  async findLocked(id: string): Promise<ProjectRow | undefined> {
    const [row] = await this.manager.query<ProjectRow[]>(
      `select ${COLUMNS} from project p where p.id = $1 for update`,
      [id],
    );
    return row;
  }

  async findByWallet(walletId: string): Promise<ProjectRow | undefined> {
    const [row] = await this.manager.query<ProjectRow[]>(
      `select ${COLUMNS} from project p where p.wallet_id = $1`,
      [walletId],
    );
    return row;
  }

  /** @throws QueryFailedError (unique violation) when the name or the wallet is taken. */
  async insert(project: Pick<ProjectRow, 'id' | 'name' | 'walletId'>): Promise<void> {
    await this.manager.query('insert into project (id, name, wallet_id) values ($1, $2, $3)', [
      project.id,
      project.name,
      project.walletId,
    ]);
  }

  /** @throws QueryFailedError (unique violation) when the name is taken. */
  async rename(id: string, name: string): Promise<void> {
    await this.manager.query('update project set name = $2 where id = $1', [id, name]);
  }

  /** Ends a project; its wallet stays. */
  async delete(id: string): Promise<void> {
    await this.manager.query('delete from project where id = $1', [id]);
  }

  /** By e-mail address. @param userId this one alone. */
  listMembers(id: string, userId?: string): Promise<ProjectMember[]> {
    return this.manager.query<ProjectMember[]>(
      `select ${MEMBER_COLUMNS} from project_member m join app_user u on u.id = m.user_id
        where m.project_id = $1 and ($2::uuid is null or m.user_id = $2) order by u.email`,
      [id, userId ?? null],
    );
  }

  /** What a user is in a project; nobody changes that until the transaction ends. */
  async findRoleShared(id: string, userId: string): Promise<ProjectRole | undefined> {
    const [row] = await this.manager.query<{ role: ProjectRole }[]>(
      'select role from project_member where project_id = $1 and user_id = $2 for share',
      [id, userId],
    );
    return row?.role;
  }

  /** Lets a user in, or gives them another role. */
  async setMember(
    id: string,
    userId: string,
    role: ProjectRole,
    origin: MemberOrigin = 'console',
  ): Promise<void> {
    await this.manager.query(
      `insert into project_member (project_id, user_id, role, origin) values ($1, $2, $3, $4)
       on conflict (project_id, user_id) do update set role = excluded.role, origin = excluded.origin`,
      [id, userId, role, origin],
    );
  }

  async removeMember(id: string, userId: string): Promise<void> {
    await this.manager.query('delete from project_member where project_id = $1 and user_id = $2', [
      id,
      userId,
    ]);
  }
}
