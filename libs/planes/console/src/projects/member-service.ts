import { omitUndefined, refuse } from '@mg/contract';
import { ConsoleStore, type ProjectMember, type ProjectRole, type ProjectRow } from '@mg/persistence/console';
import { Injectable } from '@nestjs/common';
import { type Actor, recordChange } from '../audit/record-change.js';
import type { Caller } from '../http/caller.js';
import { found } from '../http/found.js';
import { findAccess, lockManaged } from './project-access.js';
import { toMemberView } from './project-view.js';

/** A list of members is answered as a whole. */
export const MOST_MEMBERS = 200;

/** Who is in a project. Whoever loses the right to have keys there has none from then on. */
@Injectable()
export class MemberService {
  constructor(private readonly store: ConsoleStore) {}

  /**
   * Gives a member another role. Administrators let any user in; owners do so by invitation, since they know nobody else.
   *
   * @throws GatewayError `not_found`; `conflict` for an owner who would leave the project without one, the 201st member, or
   *   who is in it by a claim, whom administrators alone change.
   */
  set(caller: Caller, id: string, userId: string, role: ProjectRole): Promise<ProjectMember> {
    return this.store.transaction(async (store) => {
      const project = await lockManaged(store, caller, id);
      const members = await store.projects.listMembers(id);
      const before = members.find((member) => member.userId === userId);
      if (!before) {
        if (caller.role !== 'administrator') found(before);
        await refuseUnknownUser(store, userId);
        refuseTooMany(members);
      } else {
        refuseClaimed(caller, before);
        if (role !== 'owner') refuseWithoutOwner(caller, members, userId);
      }
      await store.projects.setMember(id, userId, role);
      const disabled = role === 'viewer' ? await store.tokens.disableIn(project.walletId, userId) : [];
      const [after] = await store.projects.listMembers(id, userId);
      await recordMember(store, caller, project, before, after, disabled);
      return found(after);
    });
  }

  /**
   * Takes a member out, or lets one leave.
   *
   * @throws GatewayError `not_found`; `conflict` for an owner who would leave the project without one.
   */
  remove(caller: Caller, id: string, userId: string): Promise<void> {
    return this.store.transaction(async (store) => {
      const project =
        userId === caller.id && findAccess(caller, id) !== undefined
          ? found(await store.projects.findLocked(id))
          : await lockManaged(store, caller, id);
      const members = await store.projects.listMembers(id);
      const before = found(members.find((member) => member.userId === userId));
      refuseWithoutOwner(caller, members, userId);
      await store.projects.removeMember(id, userId);
      const disabled = await store.tokens.disableIn(project.walletId, userId);
      await recordMember(store, caller, project, before, undefined, disabled);
    });
  }
}

export function isFull(members: readonly ProjectMember[]): boolean {
  return members.length >= MOST_MEMBERS;
}

/** An owner by a claim could make themselves one for good. */
function refuseClaimed(caller: Caller, { origin }: ProjectMember): void {
  if (caller.role === 'administrator' || origin === 'console') return;
  throw refuse('conflict', 'role_by_sso');
}

/** @throws GatewayError `conflict` when the project is full. */
export function refuseTooMany(members: readonly ProjectMember[]): void {
  if (!isFull(members)) return;
  throw refuse('conflict', 'project_full', { values: [MOST_MEMBERS] });
}

async function refuseUnknownUser(store: ConsoleStore, userId: string): Promise<void> {
  const user = await store.users.findShared(userId);
  if (!user) throw refuse('not_found', 'no_user');
}

/** Administrators may: they manage it then. */
function refuseWithoutOwner(caller: Caller, members: readonly ProjectMember[], userId: string): void {
  if (caller.role === 'administrator') return;
  const owners = members.filter(({ role }) => role === 'owner');
  if (owners.length > 1 || owners[0]?.userId !== userId) return;
  throw refuse('conflict', 'last_owner');
}

/** Writes down what somebody is in a project, and which keys they lost. */
export async function recordMember(
  store: ConsoleStore,
  actor: Actor,
  project: ProjectRow,
  before: ProjectMember | undefined,
  after: ProjectMember | undefined,
  disabledTokens: readonly string[],
): Promise<void> {
  const shown = after && toMemberView(after);
  await recordChange(store, actor, {
    action: 'project.set_member',
    targetId: project.id,
    before: before && { member: toMemberView(before) },
    after: omitUndefined({
      member: shown ?? null,
      disabled_tokens: disabledTokens.length > 0 ? disabledTokens : undefined,
    }),
  });
}
