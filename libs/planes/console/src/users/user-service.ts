import { newId, omitUndefined, refuse } from '@mg/contract';
import {
  ConsoleStore,
  isForeignKeyViolation,
  isUniqueViolation,
  type NewUser,
  type UserRow,
} from '@mg/persistence/console';
import { Injectable } from '@nestjs/common';
import { type Actor, recordChange } from '../audit/record-change.js';
import { PasswordHasher } from '../auth/password-hash.js';
import { toUserView } from '../auth/user-view.js';
import { found } from '../http/found.js';
import { DefaultWallets } from '../wallets/default-wallets.js';
import type { UserCreate, UserPatch } from './user-schemas.js';

type Alongside = (store: ConsoleStore, userId: string) => Promise<void>;

@Injectable()
export class UserService {
  constructor(
    private readonly store: ConsoleStore,
    private readonly defaultWallets: DefaultWallets,
    private readonly passwords: PasswordHasher,
  ) {}

  /**
   * Creates a user with a wallet of their own. When billing cannot open it, the user is taken back, so that asking
   * again starts over.
   *
   * @param alongside what takes effect together with the user's row.
   * @throws GatewayError `conflict` when the address is taken; `service_unavailable` when billing does not answer.
   */
  async create(actor: Actor, input: UserCreate, alongside?: Alongside): Promise<UserRow> {
    const id = newId();
    const { email, name, role } = input;
    const passwordHash = await this.passwords.hash(input.password);
    await this.#insert(actor, { id, email, name, role, passwordHash }, alongside);
    try {
      await this.defaultWallets.ensure({ id, email });
    } catch (error) {
      await this.#takeBack(actor, { id, email });
      throw error;
    }
    return found(await this.store.users.findById(id));
  }

  /**
   * Changes a user's role, state or password; the last active administrator stays one. Whoever stops being one leaves the
   * wallets of others: their tokens there are disabled, and those of the configuration file go over to another administrator.
   *
   * @throws GatewayError `conflict` when nobody would be left to administrate.
   */
  async change(actor: Actor, id: string, input: UserPatch): Promise<UserRow> {
    const passwordHash = input.password === undefined ? undefined : await this.passwords.hash(input.password);
    return this.store.transaction(async (store) => {
      const administrators = await store.users.lockActiveAdministrators();
      const user = found(await store.users.findById(id));
      const losesRights = input.role === 'member' || input.disabled === true;
      if (losesRights && administrators.length === 1 && administrators[0]?.id === id) {
        throw refuse('conflict', 'last_administrator');
      }
      await store.users.update(id, {
        ...omitUndefined({
          role: input.role,
          disabled: input.disabled,
          passwordHash,
          limits: input.limits,
          budgets: input.budgets,
        }),
        endSessions: input.disabled === true || passwordHash !== undefined,
      });
      const successor = administrators.find((one) => one.id !== id);
      const isDemoted = user.role === 'administrator' && input.role === 'member';
      const disabledTokens =
        isDemoted && successor ? await store.tokens.detachFromForeignWallets(id, successor.id) : [];
      if (input.disabled !== undefined && input.disabled !== user.disabled) {
        await store.tokens.announceTokensOf(id);
      }
      const changed = found(await store.users.findById(id));
      await recordChange(store, actor, {
        action: passwordHash === undefined ? 'user.change' : 'user.set_password',
        targetId: id,
        before: toUserView(user),
        after:
          disabledTokens.length === 0
            ? toUserView(changed)
            : { ...toUserView(changed), disabled_tokens: disabledTokens },
      });
      return changed;
    });
  }

  async #insert(actor: Actor, user: NewUser, alongside?: Alongside): Promise<void> {
    try {
      await this.store.transaction(async (store) => {
        await store.users.insert(user);
        const after = toUserView(found(await store.users.findById(user.id)));
        await recordChange(store, actor, { action: 'user.create', targetId: user.id, after });
        await alongside?.(store, user.id);
      });
    } catch (error) {
      if (!isUniqueViolation(error, 'app_user_email_key')) throw error;
      throw refuse('conflict', 'email_taken', { param: 'email' });
    }
  }

  /** A user whose wallet was opened after all, its answer lost, stays. */
  async #takeBack(actor: Actor, user: Pick<UserRow, 'id' | 'email'>): Promise<void> {
    try {
      await this.store.transaction(async (store) => {
        await store.users.delete(user.id);
        await recordChange(store, actor, { action: 'user.take_back', targetId: user.id, before: user });
      });
    } catch (error) {
      if (!isForeignKeyViolation(error)) throw error;
    }
  }
}
