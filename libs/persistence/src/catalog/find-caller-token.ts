import type { CallerToken } from '@mg/contract';
import { type DataSource, IsNull } from 'typeorm';
import { TokenEntity } from '../entities/token.js';

/** All that a gateway's role may read of people: whose a row is, whether they are disabled, and whether they administrate. */
const USER = { id: true, disabled: true, role: true } as const;

/**
 * Finds the living token of a key's SHA-256, or `undefined`. Its calls belong to the owner of its wallet, or to the token's
 * own user where the wallet is the operator's. A disabled user disables their tokens, and those of their wallets.
 */
export async function findCallerToken(
  database: DataSource,
  keyHash: string,
): Promise<CallerToken | undefined> {
  // `find`, since `findOne` with relations sends two queries; a hash is unique.
  const [token] = await database.getRepository(TokenEntity).find({
    select: {
      id: true,
      name: true,
      userId: true,
      walletId: true,
      allowedModels: true,
      expiresAt: true,
      disabled: true,
      user: USER,
      wallet: { id: true, userId: true, user: USER },
    },
    where: { keyHash, deletedAt: IsNull() },
    relations: { user: true, wallet: { user: true } },
  });
  if (!token) return undefined;
  const owner = token.wallet?.user;
  const allowed = token.allowedModels;
  return {
    id: token.id,
    name: token.name,
    walletId: token.walletId,
    userId: owner?.id ?? token.userId,
    allowedModels: allowed === null || allowed.length === 0 ? undefined : new Set(allowed),
    expiresAt: token.expiresAt?.getTime(),
    isAdministrator: (owner ?? token.user)?.role === 'administrator',
    disabled: token.disabled || token.user?.disabled === true || owner?.disabled === true,
  };
}
