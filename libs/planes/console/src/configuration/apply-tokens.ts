import { type ConfigurationFile, newApiKey, newId, omitUndefined, parseUsd } from '@mg/contract';
import {
  type ConsoleStore,
  EVERYONE,
  type TokenChange,
  type TokenDisabler,
  type TokenRow,
  type WalletRow,
} from '@mg/persistence/console';
import { findDifferences } from '../changes/find-differences.js';
import { describeApiKey } from '../tokens/api-key.js';
import { ConfigurationError } from './read-configuration.js';

type FileToken = ConfigurationFile['tokens'][number];

/** Called with the text of a key that was generated, before the token exists. */
type KeepGeneratedKey = (token: FileToken, key: string) => Promise<void>;

interface AppliedTokens {
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
  const stored = await readStored(store, tokens);
  const changed: string[] = [];
  const refused: string[] = [];
  for (const [index, token] of tokens.entries()) {
    const wallet = stored.wallets.get(token.wallet);
    if (!wallet) {
      throw new ConfigurationError(`tokens[${index}].wallet: there is no wallet "${token.wallet}".`);
    }
    const existing = stored.tokens.get(toTokenKey(wallet.id, token.name));
    const keyOwner = await findKeyOwner(store, token, stored);
    if (keyOwner && keyOwner.id !== existing?.id) {
      if (keyOwner.deletedAt === null) {
        throw new ConfigurationError(`tokens[${index}].key: another token has the same key.`);
      }
      refused.push(token.name);
      continue;
    }
    if (existing) {
      const change = findDifferences(existing, { ...toColumns(token), ...toCapture(token, existing) });
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
    ...toCapture(token),
    ...describeApiKey(key),
  });
}

/** What is stored of the tokens of a file. */
interface StoredTokens {
  /** By name. */
  readonly wallets: ReadonlyMap<string, WalletRow>;
  /** By wallet and name. */
  readonly tokens: ReadonlyMap<string, TokenRow>;
  readonly takenKeyHashes: ReadonlySet<string>;
}

/** Reads all at once: most of a long file is as it was, and whoever changed a line waits for the whole. */
async function readStored(store: ConsoleStore, tokens: readonly FileToken[]): Promise<StoredTokens> {
  const wallets = await store.wallets.findAllByName([...new Set(tokens.map(({ wallet }) => wallet))]);
  const walletIds = [...wallets.values()].map(({ id }) => id);
  const names = [...new Set(tokens.map(({ name }) => name))];
  const rows = await store.tokens.findAllByName(walletIds, names);
  const keyHashes = tokens.flatMap(({ key }) => (key === undefined ? [] : [describeApiKey(key).keyHash]));
  return {
    wallets,
    tokens: new Map(rows.map((row) => [toTokenKey(row.walletId, row.name), row])),
    takenKeyHashes: await store.tokens.findTakenKeyHashes(keyHashes),
  };
}

function toTokenKey(walletId: string, name: string): string {
  return `${walletId} ${name}`;
}

/** Asks again for a key that was taken: a token before this one in the file may have given it up. */
async function findKeyOwner(
  store: ConsoleStore,
  { key }: FileToken,
  { takenKeyHashes }: StoredTokens,
): Promise<TokenRow | null> {
  if (key === undefined) return null;
  const { keyHash } = describeApiKey(key);
  return takenKeyHashes.has(keyHash) ? store.tokens.findByKeyHash(keyHash) : null;
}

/** Bodies are kept as long as the file says so, and no longer: what the Console has set goes on to its own end. */
function toCapture({ capture }: FileToken, existing?: TokenRow): TokenChange {
  if (capture !== undefined) return { captureSeconds: capture, captureUntil: null };
  return existing?.captureUntil === null ? { captureSeconds: null } : {};
}

/** Whoever may write the file is an administrator. */
function toDisabler(disabled: boolean): TokenDisabler | null {
  return disabled ? 'administrator' : null;
}

/** An empty list allows all. */
function toAllowed(list: string[] | undefined): string[] | null | undefined {
  return list?.length === 0 ? null : list;
}

/** The columns that the file names, and that it does. */
function toColumns(token: FileToken): TokenChange {
  const { spending_quota: quota, expires_at: expiresAt } = token;
  const key = token.key === undefined ? {} : describeApiKey(token.key);
  return {
    declared: true,
    ...key,
    ...omitUndefined({
      allowedModels: toAllowed(token.allowed_models),
      allowedIps: toAllowed(token.allowed_ips),
      spendingQuota: quota === undefined ? undefined : parseUsd(quota),
      expiresAt: expiresAt === undefined ? undefined : new Date(expiresAt),
      disabled: token.disabled,
      disabledBy: token.disabled === undefined ? undefined : toDisabler(token.disabled),
      limits: token.limits,
      budgets: token.budgets,
      cacheMs: token.cache === 'off' ? null : token.cache,
      defaultModel: token.default_model,
      storeResponses: token.store_responses,
    }),
  };
}
