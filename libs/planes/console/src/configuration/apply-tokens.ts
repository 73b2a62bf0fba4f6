import { isDeepStrictEqual } from 'node:util';
import { type ConfigurationFile, newApiKey, newId, parseUsd } from '@mg/contract';
import {
  type ConsoleStore,
  EVERYONE,
  type TokenChange,
  type TokenRow,
  type WalletRow,
} from '@mg/persistence';
import { describeApiKey } from '../tokens/api-key.js';
import { ConfigurationError } from './read-configuration.js';

type FileToken = ConfigurationFile['tokens'][number];

/** Called with the text of a key that was generated, before the token exists. */
export type KeepGeneratedKey = (token: FileToken, key: string) => Promise<void>;

export interface AppliedTokens {
  readonly changed: readonly string[];
  /** Tokens whose key belongs to a deleted token: such a key never comes back to life. */
  readonly refused: readonly string[];
}

/**
 * Creates or changes the tokens of the file, by wallet and name. New ones belong to their wallet's owner, or to the first
 * administrator where it is the operator's.
 *
 * @throws ConfigurationError for an unknown wallet, a key that another token has, or when nobody could own a token.
 */
export async function applyTokens(
  store: ConsoleStore,
  tokens: readonly FileToken[],
  keepGeneratedKey: KeepGeneratedKey,
): Promise<AppliedTokens> {
  const changed: string[] = [];
  const refused: string[] = [];
  for (const [index, token] of tokens.entries()) {
    const wallet = await store.wallets.findByName(token.wallet);
    if (!wallet) {
      throw new ConfigurationError(`tokens[${index}].wallet: there is no wallet "${token.wallet}".`);
    }
    const existing = await store.tokens.findByName(wallet.id, token.name);
    const keyOwner = token.key === undefined ? null : await findKeyOwner(store, token.key);
    if (keyOwner && keyOwner.id !== existing?.id) {
      if (keyOwner.deletedAt === null) {
        throw new ConfigurationError(`tokens[${index}].key: another token has the same key.`);
      }
      refused.push(token.name);
      continue;
    }
    if (existing) {
      const change = findDifferences(existing, toColumns(token));
      if (Object.keys(change).length === 0) continue;
      await store.tokens.update(EVERYONE, existing.id, change);
    } else {
      await createToken(store, token, wallet, index, keepGeneratedKey);
    }
    changed.push(token.name);
  }
  return { changed, refused };
}

async function createToken(
  store: ConsoleStore,
  token: FileToken,
  wallet: WalletRow,
  index: number,
  keepGeneratedKey: KeepGeneratedKey,
): Promise<void> {
  const ownerId = wallet.userId ?? (await store.users.findFirstAdministrator())?.id;
  if (ownerId === undefined) {
    throw new ConfigurationError(
      `tokens[${index}]: tokens belong to an administrator and there is none yet: name one under admin.`,
    );
  }
  const key = token.key ?? newApiKey();
  if (token.key === undefined) await keepGeneratedKey(token, key);
  await store.tokens.insert({
    id: newId(),
    name: token.name,
    userId: ownerId,
    walletId: wallet.id,
    allowedModels: null,
    spendingQuota: null,
    expiresAt: null,
    disabled: false,
    declared: true,
    ...toColumns(token),
    ...describeApiKey(key),
  });
}

function findKeyOwner(store: ConsoleStore, key: string): Promise<TokenRow | null> {
  return store.tokens.findByKeyHash(describeApiKey(key).keyHash);
}

/** The columns that the file names, and that it does. */
function toColumns(token: FileToken): TokenChange {
  const { allowed_models: allowedModels, spending_quota: quota, expires_at: expiresAt } = token;
  return {
    declared: true,
    ...(token.key === undefined ? {} : describeApiKey(token.key)),
    ...(allowedModels === undefined
      ? {}
      : { allowedModels: allowedModels.length === 0 ? null : allowedModels }),
    ...(quota === undefined ? {} : { spendingQuota: parseUsd(quota) }),
    ...(expiresAt === undefined ? {} : { expiresAt: new Date(expiresAt) }),
    ...(token.disabled === undefined ? {} : { disabled: token.disabled }),
  };
}

function findDifferences(existing: TokenRow, wanted: TokenChange): TokenChange {
  const different = Object.entries(wanted).filter(
    ([column, value]) => !isDeepStrictEqual(existing[column as keyof TokenRow], value),
  );
  return Object.fromEntries(different) as TokenChange;
}
