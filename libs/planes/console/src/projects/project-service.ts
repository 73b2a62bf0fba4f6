import { newId, refuse, type WalletPort } from '@mg/contract';
import {
  ConsoleStore,
  isUniqueViolation,
  type ProjectGroup,
  type ProjectRow,
  type WalletRow,
} from '@mg/persistence/console';
import { Injectable } from '@nestjs/common';
import { recordChange } from '../audit/record-change.js';
import type { Caller } from '../http/caller.js';
import { found } from '../http/found.js';
import { InjectWalletPort } from '../wallets/wallet-port.js';
import { lockManaged } from './project-access.js';
import type { ProjectCreate, ProjectPatch } from './project-schemas.js';

/** Projects: people who share a wallet. */
@Injectable()
export class ProjectService {
  constructor(
    private readonly store: ConsoleStore,
    @InjectWalletPort() private readonly wallets: WalletPort,
  ) {}

  /**
   * Creates a project without members, with a wallet of its own or one that there is.
   *
   * @throws GatewayError `conflict` when the name is taken, or the wallet is a member's or another project's;
   *   `service_unavailable` when billing does not answer.
   */
  async create(caller: Caller, input: ProjectCreate): Promise<ProjectRow> {
    const id = newId();
    const walletId = input.wallet_id ?? (await this.#openWallet(input.name));
    return this.#write(async (store) => {
      const wallet = await lookUpWallet(store, caller, walletId);
      if (wallet.userId !== null) await store.wallets.assign(wallet.id, null);
      await store.projects.insert({ id, name: input.name, walletId: wallet.id });
      await recordChange(store, caller, {
        action: 'project.create',
        targetId: id,
        after: { name: input.name, wallet_id: wallet.id },
      });
      return found(await store.projects.find(id));
    });
  }

  /** @throws GatewayError `conflict` when the name is taken. */
  async change(caller: Caller, id: string, { name }: ProjectPatch): Promise<ProjectRow> {
    return this.#write(async (store) => {
      const before = await lockManaged(store, caller, id);
      if (name === undefined) return before;
      await store.projects.rename(id, name);
      await recordChange(store, caller, {
        action: 'project.change',
        targetId: id,
        before: { name: before.name },
        after: { name },
      });
      return { ...before, name };
    });
  }

  /** Puts groups of single sign-on in place of those that let somebody into a project, from their next sign-in on. */
  async setGroups(caller: Caller, id: string, groups: readonly ProjectGroup[]): Promise<void> {
    await this.store.transaction(async (store) => {
      await lockManaged(store, caller, id);
      const before = await store.projectGroups.list(id);
      await store.projectGroups.replace(id, groups);
      await recordChange(store, caller, {
        action: 'project.set_groups',
        targetId: id,
        before: { groups: before },
        after: { groups: await store.projectGroups.list(id) },
      });
    });
  }

  /** Ends a project: its keys are disabled, its wallet stays with what is in it. */
  async delete(caller: Caller, id: string): Promise<void> {
    await this.store.transaction(async (store) => {
      const project = await lockManaged(store, caller, id);
      await store.projects.delete(id);
      const disabled = await store.tokens.disableIn(project.walletId);
      await recordChange(store, caller, {
        action: 'project.delete',
        targetId: id,
        before: { name: project.name, wallet_id: project.walletId, disabled_tokens: disabled },
      });
    });
  }

  /** A wallet of this name that there is may be of anybody: it is taken over only where it is named by its id. */
  async #openWallet(name: string): Promise<string> {
    const existing = await this.store.wallets.findByName(name);
    if (existing) throw refuse('conflict', 'wallet_to_name', { param: 'name', values: [name] });
    const { walletId } = await this.wallets.openWallet({
      id: newId(),
      name,
      userId: undefined,
      openingBalance: 0n,
    });
    return walletId;
  }

  async #write(work: (store: ConsoleStore) => Promise<ProjectRow>): Promise<ProjectRow> {
    try {
      return await this.store.transaction(work);
    } catch (error) {
      if (isUniqueViolation(error, 'project_name_key')) {
        throw refuse('conflict', 'project_name_taken', { param: 'name' });
      }
      if (isUniqueViolation(error, 'project_wallet_id_key')) {
        throw refuse('conflict', 'wallet_of_another_project', { param: 'wallet_id' });
      }
      throw error;
    }
  }
}

/** @throws GatewayError `not_found`; `conflict` for a wallet that a project cannot have. */
async function lookUpWallet(store: ConsoleStore, caller: Caller, id: string): Promise<WalletRow> {
  const wallet = await store.wallets.find(caller.scope, id);
  if (!wallet) {
    throw refuse('not_found', 'no_wallet', { param: 'wallet_id' });
  }
  const owner = wallet.userId === null ? undefined : await store.users.findById(wallet.userId);
  if (owner?.role === 'member') throw refuse('conflict', 'wallet_of_a_member', { param: 'wallet_id' });
  return wallet;
}
