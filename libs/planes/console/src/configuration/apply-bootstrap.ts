import { newId, parseUsd } from '@mg/contract';
import type { WalletRow } from '@mg/persistence/console';
import { describeApiKey } from '../tokens/api-key.js';
import { createAdministrator, type FirstAdministrator } from './administrators.js';
import type { ApplyParts } from './apply-configuration.js';

/** What a fresh installation begins with, so that somebody can sign in and make a call. */
export interface ConsoleBootstrap {
  readonly admin: FirstAdministrator;
  readonly token: {
    readonly name: string;
    readonly key: string;
    /** The administrator's own wallet. */
    readonly walletName: string;
    /** USD, a decimal string; credited when the wallet is opened. */
    readonly walletBalance: string;
  };
}

/** Creates the first administrator, their wallet and token, each only when absent. Does nothing where somebody else was first. */
export async function applyBootstrap(parts: ApplyParts, bootstrap: ConsoleBootstrap): Promise<void> {
  const { store } = parts;
  const email = bootstrap.admin.email.trim().toLowerCase();
  const isOurs = (await store.users.isEmpty()) || (await store.users.findByEmail(email)) !== null;
  if (!isOurs) return;
  const { user } = await createAdministrator(parts, bootstrap.admin);
  const wallet = await openFirstWallet(parts, bootstrap, user.id);
  const { name, key } = bootstrap.token;
  const isKnown =
    (await store.tokens.everExisted(wallet.id, name)) ||
    (await store.tokens.findByKeyHash(describeApiKey(key).keyHash)) !== null;
  if (isKnown) return;
  await store.tokens.insert({
    id: newId(),
    name,
    userId: user.id,
    walletId: wallet.id,
    ...describeApiKey(key),
    allowedModels: null,
    spendingQuota: null,
    expiresAt: null,
    disabled: false,
    declared: false,
  });
}

async function openFirstWallet(
  { store, wallets }: ApplyParts,
  { token }: ConsoleBootstrap,
  userId: string,
): Promise<WalletRow> {
  const existing = await store.wallets.findByName(token.walletName);
  if (existing) return existing;
  await wallets.openWallet({
    id: newId(),
    name: token.walletName,
    userId,
    openingBalance: parseUsd(token.walletBalance),
  });
  const opened = await store.wallets.findByName(token.walletName);
  if (!opened) throw new Error(`Billing opened the wallet ${token.walletName}, but it is not there.`);
  return opened;
}
