import { type FindOperator, In, Raw } from 'typeorm';

export const PROJECT_ROLES = ['owner', 'member', 'viewer'] as const;
/** What somebody is in a project. */
export type ProjectRole = (typeof PROJECT_ROLES)[number];

/** A project that somebody is in. */
export interface Membership {
  readonly projectId: string;
  readonly walletId: string;
  readonly role: ProjectRole;
}

/** Whose rows a query may see. Every reading method takes one, so that none can forget it. */
export type OwnerScope = { readonly kind: 'everyone' } | UserScope;

interface UserScope {
  readonly kind: 'user';
  readonly userId: string;
  readonly memberships: readonly Membership[];
}

export const EVERYONE: OwnerScope = Object.freeze({ kind: 'everyone' });

/** What is a user's own, and what they see of the projects that they are in. */
export function onlyUser(userId: string, memberships: readonly Membership[] = []): OwnerScope {
  return { kind: 'user', userId, memberships };
}

/** Wallets of projects, by how much of what belongs to them somebody sees. */
export interface ProjectWallets {
  /** With their balance and ledger. */
  readonly owned: readonly string[];
  /** All keys, calls and tasks. */
  readonly whole: readonly string[];
  /** Keys, calls and tasks of their own alone. */
  readonly partly: readonly string[];
}

export function projectWalletsOf(scope: OwnerScope): ProjectWallets {
  const memberships = scope.kind === 'everyone' ? [] : scope.memberships;
  const walletsOf = (...roles: ProjectRole[]) =>
    memberships.filter(({ role }) => roles.includes(role)).map(({ walletId }) => walletId);
  return { owned: walletsOf('owner'), whole: walletsOf('owner', 'viewer'), partly: walletsOf('member') };
}

/** Conditions over rows that belong to a wallet. Rows that meet one of several are seen. */
export interface WalletRows {
  readonly userId?: string;
  readonly walletId?: FindOperator<string> | string;
}

/**
 * Tokens that somebody sees: all on their wallets, whoever made them, and those of projects by their role there.
 *
 * @param ofProject wallet of a project: its tokens alone.
 */
export function tokensIn(scope: OwnerScope, ofProject?: string): readonly WalletRows[] {
  if (scope.kind === 'everyone') return [ofProject === undefined ? {} : { walletId: ofProject }];
  const own = ofProject === undefined ? [{ walletId: ownedBy(scope.userId) }] : [];
  return [...own, ...ofProjects(scope, ofProject)];
}

/** Calls that somebody sees: of their wallets those since it is theirs, of projects by their role there. */
export function callsIn(scope: OwnerScope, ofProject?: string): readonly WalletRows[] {
  if (scope.kind === 'everyone') return [ofProject === undefined ? {} : { walletId: ofProject }];
  const { userId } = scope;
  const own = ofProject === undefined ? [{ userId, walletId: ownedBy(userId) }] : [];
  return [...own, ...ofProjects(scope, ofProject)];
}

function ofProjects(scope: UserScope, ofProject: string | undefined): WalletRows[] {
  const { whole, partly } = projectWalletsOf(scope);
  const wanted = (ids: readonly string[]) => ids.filter((id) => ofProject === undefined || id === ofProject);
  const [all, some] = [wanted(whole), wanted(partly)];
  return [
    ...(all.length === 0 ? [] : [{ walletId: In(all) }]),
    ...(some.length === 0 ? [] : [{ userId: scope.userId, walletId: In(some) }]),
  ];
}

function ownedBy(owner: string): FindOperator<string> {
  // Quoted: in an UPDATE TypeORM takes a bare `wallet` for the token's relation of that name.
  return Raw((column) => `${column} in (select w.id from "wallet" w where w.user_id = :owner)`, { owner });
}
