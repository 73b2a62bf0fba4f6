import { type ClaimedMembership, ConsoleStore, type ProjectRow } from '@mg/persistence/console';
import { Injectable, Logger } from '@nestjs/common';
import type { Actor } from '../audit/record-change.js';
import { isFull, recordMember } from './member-service.js';

/** Memberships that follow from the claims of single sign-on; those that a person gave are left alone. */
@Injectable()
export class ClaimedProjects {
  readonly #log = new Logger('sso');

  constructor(private readonly store: ConsoleStore) {}

  /**
   * Gives a user the memberships that their claims say, and takes away those that claims gave before.
   *
   * @param values of the claim.
   */
  async apply(actor: Actor, userId: string, values: readonly string[]): Promise<void> {
    await this.store.transaction(async (store) => {
      const claimed = await store.projectGroups.listClaimed(values);
      const roles = new Map(claimed.map(({ projectId, role }) => [projectId, role]));
      const given = await store.projectGroups.listMemberships(userId);
      const standing = new Set(
        given
          .filter(({ projectId, role, origin }) => origin === 'console' || roles.get(projectId) === role)
          .map(({ projectId }) => projectId),
      );
      const concerned = new Set([...roles.keys(), ...given.map(({ projectId }) => projectId)]);
      for (const id of standing) concerned.delete(id);
      // In one order, so that two sign-ins do not wait for each other.
      for (const id of [...concerned].toSorted()) {
        const project = await store.projects.findLocked(id);
        if (project) await this.#follow(store, actor, { userId, project, role: roles.get(id) });
      }
    });
  }

  async #follow(store: ConsoleStore, actor: Actor, { userId, project, role }: Follower): Promise<void> {
    const members = await store.projects.listMembers(project.id);
    const before = members.find((member) => member.userId === userId);
    if (before?.origin === 'console' || before?.role === role) return;
    if (!before && isFull(members)) {
      this.#log.warn(`The project "${project.name}" is full: a claim lets nobody in.`);
      return;
    }
    if (role === undefined) await store.projects.removeMember(project.id, userId);
    else await store.projects.setMember(project.id, userId, role, 'claim');
    const losesKeys = before !== undefined && (role === undefined || role === 'viewer');
    const disabled = losesKeys ? await store.tokens.disableIn(project.walletId, userId) : [];
    const [after] = await store.projects.listMembers(project.id, userId);
    await recordMember(store, actor, project, before, after, disabled);
  }
}

interface Follower {
  readonly userId: string;
  readonly project: ProjectRow;
  /** `undefined`: none any more. */
  readonly role: ClaimedMembership['role'] | undefined;
}
