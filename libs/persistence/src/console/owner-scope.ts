import { type FindOperator, Raw } from 'typeorm';

/** Whose rows a query may see. Every reading method takes one, so that none can forget it. */
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
    // Quoted: in an UPDATE TypeORM takes a bare `wallet` for the token's relation of that name.
    walletId: Raw((column) => `${column} in (select w.id from "wallet" w where w.user_id = :owner)`, {
      owner,
    }),
  };
}
