import { refuse } from '@mg/contract';
import type { ConsoleStore, ProjectRole, ProjectRow } from '@mg/persistence/console';
import type { Caller } from '../http/caller.js';
import { found } from '../http/found.js';

/** What somebody may do in a project: what their role says, or everything. */
export type ProjectAccess = ProjectRole | 'administrator';

/** What a caller may do in a project; `undefined` where it is not theirs to know of. */
export function findAccess(caller: Caller, projectId: string): ProjectAccess | undefined {
  if (caller.role === 'administrator') return 'administrator';
  return caller.memberships.find((one) => one.projectId === projectId)?.role;
}

/**
 * The project of a route's path, as the caller sees it.
 *
 * @throws GatewayError `not_found` for one that there is not, or that is not theirs to know of.
 */
export async function findSeenProject(
  store: ConsoleStore,
  caller: Caller,
  id: string,
): Promise<{ readonly project: ProjectRow; readonly access: ProjectAccess }> {
  const access = found(findAccess(caller, id));
  return { project: found(await store.projects.find(id)), access };
}

/**
 * The wallet of the project that a query names.
 *
 * @throws GatewayError `not_found` as for a project that there is not.
 */
export async function findProjectWallet(
  store: ConsoleStore,
  caller: Caller,
  id: string | undefined,
): Promise<string | undefined> {
  if (id === undefined) return undefined;
  const project = findAccess(caller, id) && (await store.projects.find(id));
  if (project) return project.walletId;
  throw refuse('not_found', 'no_project', { param: 'project_id' });
}

/** Whether they see keys and calls of all its members. */
export function seesAllOf(access: ProjectAccess): boolean {
  return access !== 'member';
}

/**
 * Locks a project for who manages it, with the rights that they have until the transaction ends.
 *
 * @throws GatewayError `not_found` for who is not in it, `forbidden` for members and viewers.
 */
export async function lockManaged(store: ConsoleStore, caller: Caller, id: string): Promise<ProjectRow> {
  found(findAccess(caller, id));
  const project = found(await store.projects.findLocked(id));
  if (caller.role === 'administrator') return project;
  const role = found(await store.projects.findRoleShared(id, caller.id));
  if (role === 'owner') return project;
  throw refuse('forbidden', 'owners_only');
}
