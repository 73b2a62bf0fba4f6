import type { EntityManager } from 'typeorm';
import type { ProjectRole } from './owner-scope.js';

export interface InvitationRow {
  readonly id: string;
  readonly projectId: string;
  readonly role: ProjectRole;
  /** In lower case; `null` for whoever has the link. */
  readonly email: string | null;
  readonly createdBy: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

/** An invitation that is good, as whoever has its link finds it. */
export interface OpenInvitation extends InvitationRow {
  readonly projectName: string;
  /** Whether an administrator says that the address is that of whom it is for. */
  readonly isVouched: boolean;
}

export interface NewInvitation extends Pick<
  InvitationRow,
  'id' | 'projectId' | 'role' | 'email' | 'createdBy'
> {
  readonly tokenHash: string;
  readonly lifeSeconds: number;
}

const COLUMNS = `i.id, i.project_id as "projectId", i.role, i.email, i.created_by as "createdBy",
  i.created_at as "createdAt", i.expires_at as "expiresAt"`;

/** Good while nobody has used it, it has not expired, and whoever made it may still invite. */
const OPEN = `project_invitation i join project p on p.id = i.project_id join app_user u on u.id = i.created_by
    left join project_member m on m.project_id = i.project_id and m.user_id = i.created_by
  where i.accepted_by is null and i.expires_at > now() and not u.disabled
    and (u.role = 'administrator' or m.role = 'owner')`;

/** Links that let people into projects. */
export class InvitationRepository {
  constructor(private readonly manager: EntityManager) {}

  /** Those of a project that are good, newest first. */
  listOpen(projectId: string): Promise<InvitationRow[]> {
    return this.manager.query<InvitationRow[]>(
      `select ${COLUMNS} from ${OPEN} and i.project_id = $1 order by i.id desc`,
      [projectId],
    );
  }

  async findOpen(tokenHash: string): Promise<OpenInvitation | undefined> {
    const [row] = await this.manager.query<OpenInvitation[]>(
      `select ${COLUMNS}, p.name as "projectName", i.email is not null and u.role = 'administrator' as "isVouched"
         from ${OPEN} and i.token_hash = $1`,
      [tokenHash],
    );
    return row;
  }

  /** Makes one, and forgets those that have expired, used or not. */
  async insert(invitation: NewInvitation): Promise<void> {
    await this.manager.query('delete from project_invitation where expires_at <= now()');
    await this.manager.query(
      `insert into project_invitation (id, project_id, token_hash, role, email, created_by, expires_at)
       values ($1, $2, $3, $4, $5, $6, now() + make_interval(secs => $7))`,
      [
        invitation.id,
        invitation.projectId,
        invitation.tokenHash,
        invitation.role,
        invitation.email,
        invitation.createdBy,
        invitation.lifeSeconds,
      ],
    );
  }

  /** Uses one up that is open. Answers whether nobody else had. */
  async claim(id: string, userId: string): Promise<boolean> {
    const [rows] = await this.manager.query<[unknown[], number]>(
      `update project_invitation set accepted_by = $2
        where id = $1 and accepted_by is null and expires_at > now() returning id`,
      [id, userId],
    );
    return rows.length === 1;
  }

  /** Takes one back. Answers whether there was one that nobody had used. */
  async delete(projectId: string, id: string): Promise<boolean> {
    const [rows] = await this.manager.query<[unknown[], number]>(
      'delete from project_invitation where project_id = $1 and id = $2 and accepted_by is null returning id',
      [projectId, id],
    );
    return rows.length === 1;
  }
}
