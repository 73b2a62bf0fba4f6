import { type FindOperator, Raw } from 'typeorm';

/** Whose rows a question may see. Every reading method takes one, so that none forgets to ask. */
export type OwnerScope = { readonly kind: 'everyone' } | { readonly kind: 'user'; readonly userId: string };

export const EVERYONE: OwnerScope = Object.freeze({ kind: 'everyone' });

export function onlyUser(userId: string): OwnerScope {
  return { kind: 'user', userId };
}

/** Conditions to spread into a `where` over wallets. */
export function ownedBy(scope: OwnerScope): { userId?: string } {
  return scope.kind === 'everyone' ? {} : { userId: scope.userId };
}

/** The same over rows that belong to a wallet: tokens, calls and tasks are its owner's, whoever made them. */
export function inWalletOf(scope: OwnerScope): { walletId?: FindOperator<string> } {
  if (scope.kind === 'everyone') return {};
  const { userId: owner } = scope;
  return {
    walletId: Raw((wallet) => `${wallet} in (select id from wallet where user_id = :owner)`, { owner }),
  };
}
