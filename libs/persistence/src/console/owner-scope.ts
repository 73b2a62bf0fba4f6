/** Whose rows a question may see. Every reading method takes one, so that none forgets to ask. */
export type OwnerScope = { readonly kind: 'everyone' } | { readonly kind: 'user'; readonly userId: string };

export const EVERYONE: OwnerScope = Object.freeze({ kind: 'everyone' });

export function onlyUser(userId: string): OwnerScope {
  return { kind: 'user', userId };
}

/** Conditions to spread into a `where`. */
export function ownedBy(scope: OwnerScope): { userId?: string } {
  return scope.kind === 'everyone' ? {} : { userId: scope.userId };
}
