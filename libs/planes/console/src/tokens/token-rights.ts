import { refuse } from '@mg/contract';
import {
  type ConsoleStore,
  TOKEN_DISABLERS,
  type TokenDisabler,
  type TokenRow,
} from '@mg/persistence/console';
import type { Caller } from '../http/caller.js';
import { found } from '../http/found.js';

/** Whose a new key is, and what pays for it. */
export type KeyPlace = Pick<TokenRow, 'userId' | 'walletId'>;

/**
 * Checks whether a caller may make a key, with rights that nobody takes away until the transaction ends. A wallet of a
 * project is for its owners and members; on any other wallet the caller was looked up as one who may use it.
 *
 * @throws GatewayError `not_found` for a project that is not theirs, `forbidden` for viewers and for members who make keys for
 *   others, `invalid_request` for a user who may not have the key.
 */
export async function lockKeyPlace(store: ConsoleStore, caller: Caller, place: KeyPlace): Promise<void> {
  const { userId, walletId } = place;
  const isForOther = userId !== caller.id;
  const project = await store.projects.findByWallet(walletId);
  if (project && caller.role !== 'administrator') {
    const role = found(await store.projects.findRoleShared(project.id, caller.id));
    if (role === 'viewer') throw refuse('forbidden', 'viewers_make_no_keys');
    if (isForOther && role !== 'owner') refuseOther();
  }
  if (!isForOther) return;
  if (!project && caller.role !== 'administrator') refuseOther();
  const mayHave = project
    ? ['owner', 'member'].includes((await store.projects.findRoleShared(project.id, userId)) ?? '')
    : (await store.wallets.find(caller.scope, walletId))?.userId === userId;
  const user = mayHave ? await store.users.findShared(userId) : null;
  if (user && !user.disabled) return;
  throw refuse('invalid_request', 'user_without_keys', { param: 'user_id' });
}

/**
 * Checks whether a caller who sees a key may change it, and as what, until the transaction ends.
 *
 * @throws GatewayError `forbidden` for viewers of a project, `not_found` for who has left it.
 */
export async function lockKeyRights(
  store: ConsoleStore,
  caller: Caller,
  token: TokenRow,
): Promise<TokenDisabler> {
  if (caller.role === 'administrator') return 'administrator';
  const project = await store.projects.findByWallet(token.walletId);
  // Outside of projects they see keys on wallets of their own alone.
  if (!project) return 'owner';
  const role = found(await store.projects.findRoleShared(project.id, caller.id));
  if (role === 'viewer') throw refuse('forbidden', 'viewers_change_no_keys');
  if (role === 'member') found(token.userId === caller.id ? token : null);
  return role === 'owner' ? 'owner' : 'user';
}

/** As what a caller disables a key of a user: owners their own as its user, who may enable it when they own nothing any more. */
export function disablerOf(caller: Caller, userId: string): TokenDisabler {
  if (caller.role === 'administrator') return 'administrator';
  return userId === caller.id ? 'user' : 'owner';
}

/**
 * Whoever may less than who disabled a key does not enable it: it may be in wrong hands.
 *
 * @param rights what the caller may do with the key.
 * @throws GatewayError `forbidden`
 */
export function refuseEnabling(rights: TokenDisabler, { disabled, disabledBy }: TokenRow): void {
  const rankOf = (one: TokenDisabler) => TOKEN_DISABLERS.indexOf(one);
  if (!disabled || disabledBy === null || rankOf(rights) >= rankOf(disabledBy)) return;
  const reason = disabledBy === 'administrator' ? 'key_disabled_by_administrator' : 'key_disabled_by_owner';
  throw refuse('forbidden', reason, { param: 'disabled' });
}

/**
 * Calls of a key count for the project that paid them: a key goes neither into a project nor out of one.
 *
 * @throws GatewayError `conflict`
 */
export async function refuseMove(store: ConsoleStore, from: string, to: string): Promise<void> {
  const projects = await Promise.all([from, to].map((id) => store.projects.findByWallet(id)));
  if (projects.every((project) => project === undefined)) return;
  throw refuse('conflict', 'key_of_project', { param: 'wallet_id' });
}

function refuseOther(): never {
  throw refuse('forbidden', 'key_for_another', { param: 'user_id' });
}
