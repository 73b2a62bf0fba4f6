import { randomBytes } from 'node:crypto';
import { GatewayError, newId, omitUndefined, refuse, sha256 } from '@mg/contract';
import { ConsoleStore, type InvitationRow, type OpenInvitation } from '@mg/persistence/console';
import { Injectable } from '@nestjs/common';
import { recordChange } from '../audit/record-change.js';
import { LoginLimits } from '../auth/login-limits.js';
import { SessionService } from '../auth/session-service.js';
import type { SessionAnswer } from '../auth/session-tokens.js';
import type { Caller, Origin } from '../http/caller.js';
import { found } from '../http/found.js';
import { refuseTooMany } from '../projects/member-service.js';
import { lockManaged } from '../projects/project-access.js';
import { UserService } from '../users/user-service.js';
import type { InvitationCreate, Registration } from './invitation-schemas.js';
import { type InvitationView, toInvitationView } from './invitation-view.js';

/** Open ones of a project; a list of them is answered as a whole. */
const MOST_OPEN = 50;
const DAY_SECONDS = 24 * 60 * 60;
const TOKEN_BYTES = 32;

/** Whoever joins. */
interface Joiner {
  readonly id: string;
  readonly email: string;
}

/** Links that let one person into a project, once: with the user that they are, or with one that they make by it. */
@Injectable()
export class InvitationService {
  constructor(
    private readonly store: ConsoleStore,
    private readonly users: UserService,
    private readonly sessions: SessionService,
    private readonly limits: LoginLimits,
  ) {}

  /** Those of a project that are good. @throws GatewayError `not_found`, `forbidden` for members and viewers. */
  list(caller: Caller, projectId: string): Promise<InvitationRow[]> {
    return this.store.transaction(async (store) => {
      await lockManaged(store, caller, projectId);
      return store.invitations.listOpen(projectId);
    });
  }

  /**
   * Makes a link, whose secret exists in this answer and nowhere else.
   *
   * @throws GatewayError `not_found`, `forbidden`; `conflict` when a project has 50 open ones.
   */
  create(
    caller: Caller,
    projectId: string,
    { role, email, expires_in_days: days }: InvitationCreate,
  ): Promise<InvitationView & { readonly token: string }> {
    const [id, token] = [newId(), randomBytes(TOKEN_BYTES).toString('base64url')];
    return this.store.transaction(async (store) => {
      await lockManaged(store, caller, projectId);
      if ((await store.invitations.listOpen(projectId)).length >= MOST_OPEN) {
        throw refuse('conflict', 'too_many_invitations', { values: [MOST_OPEN] });
      }
      const tokenHash = hashToken(token);
      const lifeSeconds = days * DAY_SECONDS;
      await store.invitations.insert({
        id,
        projectId,
        tokenHash,
        role,
        email,
        createdBy: caller.id,
        lifeSeconds,
      });
      const view = toInvitationView(found(await store.invitations.findOpen(tokenHash)));
      await recordChange(store, caller, {
        action: 'project.invite',
        targetId: projectId,
        after: { invitation: view },
      });
      return { ...view, token };
    });
  }

  /** Takes a link back that nobody has used. @throws GatewayError `not_found`, `forbidden`. */
  delete(caller: Caller, projectId: string, id: string): Promise<void> {
    return this.store.transaction(async (store) => {
      await lockManaged(store, caller, projectId);
      // Of one that cannot be used any more (expired, or its maker may not invite any more) only the id is recorded.
      const open = (await store.invitations.listOpen(projectId)).find((invitation) => invitation.id === id);
      if (!(await store.invitations.delete(projectId, id))) found(null);
      await recordChange(store, caller, {
        action: 'project.take_invitation_back',
        targetId: projectId,
        before: omitUndefined({ invitation_id: id, invitation: open && toInvitationView(open) }),
      });
    });
  }

  /** What a link leads to. @throws GatewayError `not_found`, the same for unknown, used and expired ones; `rate_limited`. */
  async look(token: string, { address }: Origin): Promise<OpenInvitation> {
    await this.limits.countInvitation(address);
    const invitation = await this.store.invitations.findOpen(hashToken(token));
    if (!invitation) throw unusable();
    await this.limits.giveBackInvitation(address);
    return invitation;
  }

  /**
   * Lets somebody in who is signed in. Answers the project's id.
   *
   * @throws GatewayError as `look`; `forbidden` where it is for another address; `conflict` for who is in the project already.
   */
  async accept(caller: Caller, token: string): Promise<string> {
    const invitation = await this.look(token, caller);
    if (invitation.email !== null && invitation.email !== caller.email) {
      throw refuse('forbidden', 'invitation_for_another_user');
    }
    await this.store.transaction((store) => join(store, invitation, caller, caller));
    return invitation.projectId;
  }

  /**
   * Makes a user with a wallet of their own, lets them in and signs them in.
   *
   * @throws GatewayError as `look`; `invalid_request` where it is for another address; `conflict` when there is a user of the
   *   address, who signs in instead; `service_unavailable` when billing does not answer: then the link stays good.
   */
  async register({ token, email, name, password }: Registration, origin: Origin): Promise<SessionAnswer> {
    const invitation = await this.look(token, origin);
    if (invitation.email !== null && invitation.email !== email) {
      throw refuse('invalid_request', 'invitation_for_another', { param: 'email' });
    }
    // Until it has ended well: whoever tries addresses is slowed down.
    await this.limits.countInvitation(origin.address);
    const actor = { id: null, email, ...origin };
    const user = await this.users.create(
      actor,
      { email, name, role: 'member', password },
      async (store, id) => {
        if (!invitation.isVouched) await store.users.update(id, { emailClaimed: true });
        await join(store, invitation, { id, email }, origin);
      },
    );
    await this.limits.giveBackInvitation(origin.address);
    return this.store.transaction((store) => this.sessions.open(store, user, origin));
  }
}

/** The project is locked first, as by whoever manages it: an owner who is taken out meanwhile lets nobody in. */
async function join(
  store: ConsoleStore,
  { id, projectId }: OpenInvitation,
  user: Joiner,
  origin: Origin,
): Promise<void> {
  if (!(await store.projects.findLocked(projectId))) throw unusable();
  const invitation = (await store.invitations.listOpen(projectId)).find((open) => open.id === id);
  if (!invitation || !(await store.invitations.claim(id, user.id))) throw unusable();
  const members = await store.projects.listMembers(projectId);
  if (members.some((member) => member.userId === user.id)) {
    throw refuse('conflict', 'member_already');
  }
  refuseTooMany(members);
  await store.projects.setMember(projectId, user.id, invitation.role);
  const actor = { ...user, requestId: origin.requestId, address: origin.address };
  await recordChange(store, actor, {
    action: 'project.join',
    targetId: projectId,
    after: { user_id: user.id, email: user.email, role: invitation.role, invitation_id: id },
  });
}

function hashToken(token: string): string {
  return sha256(`project invitation ${token}`);
}

function unusable(): GatewayError {
  return refuse('not_found', 'invitation_over', { param: 'token' });
}
