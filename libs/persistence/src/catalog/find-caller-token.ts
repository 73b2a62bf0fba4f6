import { type CallerToken, nextSequence, omitUndefined, scopeLimits, type ScopedLimits } from '@mg/contract';
import { type DataSource, type FindOptionsWhere, IsNull, MoreThan } from 'typeorm';
import { TokenEntity, type TokenRow } from '../entities/token.js';
import { NetworkSet } from './network-set.js';

/** All that a gateway's role may read of people: whose a row is, whether they are disabled or administrate, and their limits. */
const USER = { id: true, disabled: true, role: true, limits: true } as const;

/**
 * Finds the living token of a key's SHA-256, or `undefined`; by the key before a rotation, as long as that is good. Its calls belong to the owner of its wallet, or to the token's
 * own user where the wallet is the operator's. A disabled user disables their tokens, and those of their wallets.
 */
export function findCallerToken(database: DataSource, keyHash: string): Promise<CallerToken | undefined> {
  const isGood = { formerKeyUntil: MoreThan(new Date()) };
  return readToken(
    database,
    [
      { keyHash, deletedAt: IsNull() },
      { formerKeyHash: keyHash, ...isGood, deletedAt: IsNull() },
    ],
    keyHash,
  );
}

/** The token of an id, also one that was deleted: what it has ordered is still to be paid for. */
export function findToken(database: DataSource, id: string): Promise<CallerToken | undefined> {
  return readToken(database, { id });
}

async function readToken(
  database: DataSource,
  where: FindOptionsWhere<TokenRow> | FindOptionsWhere<TokenRow>[],
  keyHash?: string,
): Promise<CallerToken | undefined> {
  const sequence = nextSequence();
  // `find`, since `findOne` with relations sends two queries; a hash is unique.
  const [token] = await database.getRepository(TokenEntity).find({
    select: {
      id: true,
      name: true,
      userId: true,
      walletId: true,
      allowedModels: true,
      allowedIps: true,
      expiresAt: true,
      keyHash: true,
      formerKeyUntil: true,
      disabled: true,
      limits: true,
      cacheMs: true,
      captureSeconds: true,
      captureUntil: true,
      defaultModel: true,
      storeResponses: true,
      user: USER,
      wallet: { id: true, userId: true, limits: true, user: USER },
    },
    where,
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
    allowedIps: token.allowedIps === null ? undefined : new NetworkSet(token.allowedIps),
    expiresAt: findEnd(token, keyHash),
    isAdministrator: (owner ?? token.user)?.role === 'administrator',
    disabled: token.disabled || token.user?.disabled === true || owner?.disabled === true,
    limits: listLimits(token, sequence),
    cacheMs: token.cacheMs ?? undefined,
    ...omitUndefined({
      capture:
        token.captureSeconds !== null
          ? { seconds: token.captureSeconds, until: token.captureUntil?.getTime() }
          : undefined,
    }),
    defaultModel: token.defaultModel ?? undefined,
    storesResponses: token.storeResponses,
  };
}

/** When the key that was asked by ends: the key before a rotation may end earlier than the token. */
function findEnd(token: TokenRow, keyHash: string | undefined): number | undefined {
  const isFormer = keyHash !== undefined && keyHash !== token.keyHash;
  const ends = [token.expiresAt, isFormer ? token.formerKeyUntil : null].flatMap(
    (end) => end?.getTime() ?? [],
  );
  return ends.length === 0 ? undefined : Math.min(...ends);
}

/** Those of the token, of its wallet, and of whom its calls belong to. */
function listLimits(
  { id, limits, wallet, user }: TokenRow,
  sequence: number,
): readonly ScopedLimits[] | undefined {
  const owner = wallet?.user ?? user;
  const all = [
    scopeLimits('token', id, limits, sequence),
    wallet && scopeLimits('wallet', wallet.id, wallet.limits, sequence),
    owner && scopeLimits('user', owner.id, owner.limits, sequence),
  ].filter((one) => one !== undefined);
  return all.length === 0 ? undefined : all;
}
