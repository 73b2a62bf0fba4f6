import { newApiKey, newId, omitUndefined, parseUsd, refuse } from '@mg/contract';
import {
  ConsoleStore,
  EVERYONE,
  isUniqueViolation,
  type TokenChange,
  type TokenDisabler,
  type TokenRow,
} from '@mg/persistence/console';
import { Injectable } from '@nestjs/common';
import { recordChange } from '../audit/record-change.js';
import type { Caller } from '../http/caller.js';
import { found } from '../http/found.js';
import { findProjectWallet } from '../projects/project-access.js';
import { DefaultWallets } from '../wallets/default-wallets.js';
import { describeApiKey } from './api-key.js';
import {
  disablerOf,
  type KeyPlace,
  lockKeyPlace,
  lockKeyRights,
  refuseEnabling,
  refuseMove,
} from './token-rights.js';
import type { Rotation, TokenCreate, TokenPatch } from './token-schemas.js';
import { toTokenView } from './token-view.js';

/** A token together with its key, which exists here for a moment and nowhere else. */
interface KeyedToken {
  readonly token: TokenRow;
  readonly key: string;
}

/** The life of API keys. Writing the row is enough: the database tells every gateway. */
@Injectable()
export class TokenService {
  constructor(
    private readonly store: ConsoleStore,
    private readonly defaultWallets: DefaultWallets,
  ) {}

  /**
   * Makes a key, for the caller or for somebody else.
   *
   * @throws GatewayError `not_found` for a wallet or project that the caller may not use; `conflict` when the name is taken
   *   there; `forbidden` and `invalid_request` for a user who may not have the key.
   */
  async create(caller: Caller, input: TokenCreate): Promise<KeyedToken> {
    const key = newApiKey();
    const id = newId();
    const place = await this.#findPlace(caller, input);
    const token = await this.#write(caller, async (store) => {
      await lockKeyPlace(store, caller, place);
      await refuseUnknownModels(store, input.allowed_models);
      await store.tokens.insert({
        id,
        name: input.name,
        ...place,
        ...describeApiKey(key),
        allowedModels: toAllowed(input.allowed_models) ?? null,
        allowedIps: toAllowed(input.allowed_ips) ?? null,
        spendingQuota: toAmount(input.spending_quota) ?? null,
        expiresAt: toMoment(input.expires_at) ?? null,
        disabled: input.disabled ?? false,
        disabledBy: input.disabled === true ? disablerOf(caller, place.userId) : null,
        declared: false,
        limits: input.limits ?? {},
        budgets: input.budgets ?? {},
        cacheMs: input.cache ?? null,
        defaultModel: input.default_model ?? null,
        storeResponses: input.store_responses ?? true,
      });
      const created = found(await store.tokens.find(EVERYONE, id));
      await recordChange(store, caller, {
        action: 'token.create',
        targetId: id,
        after: toTokenView(created),
      });
      return created;
    });
    return { token, key };
  }

  /**
   * Changes what the input names and nothing else.
   *
   * @throws GatewayError as `create` does, and `forbidden` for enabling what somebody disabled who may more.
   */
  async change(caller: Caller, id: string, input: TokenPatch): Promise<TokenRow> {
    const present = found(await this.store.tokens.find(caller.scope, id));
    const walletId =
      input.wallet_id === undefined || input.wallet_id === present.walletId
        ? undefined
        : await this.#findWalletId(caller, input.wallet_id);
    const change: TokenChange = omitUndefined({
      name: input.name,
      walletId,
      allowedModels: toAllowed(input.allowed_models),
      allowedIps: toAllowed(input.allowed_ips),
      spendingQuota: toAmount(input.spending_quota),
      expiresAt: toMoment(input.expires_at),
      disabled: input.disabled,
      limits: input.limits,
      budgets: input.budgets,
      cacheMs: input.cache,
      defaultModel: input.default_model,
      storeResponses: input.store_responses,
      formerKeyUntil: input.former_key_until,
    });
    return this.#change(
      caller,
      id,
      'token.change',
      () => change,
      async (store, { token: before, rights }) => {
        if (input.disabled === false) refuseEnabling(rights, before);
        if (walletId !== undefined) await refuseMove(store, before.walletId, walletId);
        // What the key has already stays: its model may be gone.
        await refuseUnknownModels(store, input.allowed_models, before.allowedModels ?? []);
      },
    );
  }

  /** Gives a token a new key; the old one is good for a grace period, one of an earlier rotation no more. */
  async rotate(caller: Caller, id: string, { grace_seconds: graceSeconds }: Rotation): Promise<KeyedToken> {
    const key = newApiKey();
    // Whoever is given the key of another's token on their wallet has it from now on.
    const owner = caller.scope.kind === 'everyone' ? {} : { userId: caller.id };
    const token = await this.#change(caller, id, 'token.rotate', ({ keyHash }) => ({
      ...describeApiKey(key),
      ...owner,
      formerKeyHash: graceSeconds === 0 ? null : keyHash,
      formerKeyUntil: graceSeconds === 0 ? null : new Date(Date.now() + graceSeconds * 1_000),
    }));
    return { token, key };
  }

  async delete(caller: Caller, id: string): Promise<void> {
    await this.store.transaction(async (store) => {
      const { token } = await lockToken(store, caller, id);
      await store.tokens.markDeleted(caller.scope, id);
      await recordChange(store, caller, { action: 'token.delete', targetId: id, before: toTokenView(token) });
    });
  }

  /** Changes a token's row and writes down what differs. */
  #change(
    caller: Caller,
    id: string,
    action: 'token.change' | 'token.rotate',
    toChange: (before: TokenRow) => TokenChange,
    check?: (store: ConsoleStore, locked: LockedToken) => Promise<void>,
  ): Promise<TokenRow> {
    return this.#write(caller, async (store) => {
      const locked = await lockToken(store, caller, id);
      await check?.(store, locked);
      const { token: before } = locked;
      const change = toChange(before);
      await store.tokens.update(caller.scope, id, { ...change, ...noteDisabler(caller, before, change) });
      const after = found(await store.tokens.find(caller.scope, id));
      await recordChange(store, caller, {
        action,
        targetId: id,
        before: toTokenView(before),
        after: toTokenView(after),
      });
      return after;
    });
  }

  /**
   * Writes with the rights that the caller has until the end: who loses them meanwhile leaves no key behind.
   *
   * @throws GatewayError `conflict` when the name is taken, `forbidden` when the caller's role is another by now.
   */
  async #write(caller: Caller, work: (store: ConsoleStore) => Promise<TokenRow>): Promise<TokenRow> {
    try {
      return await this.store.transaction(async (store) => {
        const user = await store.users.findShared(caller.id);
        if (user?.role !== caller.role || user.disabled) {
          throw refuse('forbidden', 'rights_changed');
        }
        return work(store);
      });
    } catch (error) {
      if (!isUniqueViolation(error, 'token_by_name')) throw error;
      throw refuse('conflict', 'key_name_taken', { param: 'name' });
    }
  }

  async #findPlace(caller: Caller, input: TokenCreate): Promise<KeyPlace> {
    const userId = input.user_id ?? caller.id;
    const projectWalletId = await findProjectWallet(this.store, caller, input.project_id);
    if (projectWalletId !== undefined) return { userId, walletId: projectWalletId };
    if (input.wallet_id !== undefined) {
      return { userId, walletId: await this.#findWalletId(caller, input.wallet_id) };
    }
    // Nobody else is told whether there is such a user.
    const user = caller.role === 'administrator' ? await this.store.users.findById(userId) : caller;
    if (!user) throw refuse('not_found', 'no_user', { param: 'user_id' });
    return { userId, walletId: (await this.defaultWallets.ensure(user)).id };
  }

  async #findWalletId(caller: Caller, id: string): Promise<string> {
    const wallet = await this.store.wallets.find(caller.scope, id);
    if (wallet) return wallet.id;
    throw refuse('not_found', 'no_wallet', { param: 'wallet_id' });
  }
}

/** A token that nobody else changes now, and what the caller may do with it. */
interface LockedToken {
  readonly token: TokenRow;
  readonly rights: TokenDisabler;
}

/** The members of a project are locked before its keys, as whoever takes one out does: otherwise both would wait for each other. */
async function lockToken(store: ConsoleStore, caller: Caller, id: string): Promise<LockedToken> {
  const rights = await lockKeyRights(store, caller, found(await store.tokens.find(caller.scope, id)));
  return { token: found(await store.tokens.findLocked(caller.scope, id)), rights };
}

/** Who disables a key that works; what is disabled already stays whose it was. */
function noteDisabler(caller: Caller, before: TokenRow, { disabled }: TokenChange): TokenChange {
  if (disabled === undefined || disabled === before.disabled) return {};
  return { disabledBy: disabled ? disablerOf(caller, before.userId) : null };
}

/** @throws GatewayError `invalid_request` for a model that there is not: a key for it would be a key for nothing. */
async function refuseUnknownModels(
  store: ConsoleStore,
  slugs: readonly string[] | null | undefined,
  known: readonly string[] = [],
): Promise<void> {
  const added = (slugs ?? []).filter((slug) => !known.includes(slug));
  const missing = added.length === 0 ? [] : await store.models.findMissing(added);
  if (missing.length === 0) return;
  throw refuse('invalid_request', 'no_models', { param: 'allowed_models', values: [missing.join(', ')] });
}

function toAllowed(list: readonly string[] | null | undefined): string[] | null | undefined {
  return list?.length === 0 ? null : list && [...list];
}

function toAmount(text: string | null | undefined): bigint | null | undefined {
  return typeof text === 'string' ? parseUsd(text) : text;
}

function toMoment(text: string | null | undefined): Date | null | undefined {
  return typeof text === 'string' ? new Date(text) : text;
}
