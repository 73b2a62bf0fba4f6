import { type ConfigurationFile, newId, omitUndefined, parseUsd, type WalletPort } from '@mg/contract';
import type { ConsoleStore, WalletRow } from '@mg/persistence/console';
import { recordChange } from '../audit/record-change.js';
import { findDifferences } from '../changes/find-differences.js';
import { toFileActor } from './file-actor.js';
import { ConfigurationError } from './read-configuration.js';

type FileWallet = ConfigurationFile['wallets'][number];

interface AppliedWallets {
  readonly opened: readonly string[];
  /** Those whose credit limit was changed. */
  readonly limited: readonly string[];
  /** Those whose limits on calls, budgets or threshold of alerts were changed. */
  readonly configured: readonly string[];
}

/**
 * Opens the wallets of the file that do not exist yet, each with its opening balance as a ledger entry, sets the credit
 * limits, limits on calls, budgets and thresholds of alerts that it names, and gives wallets to the users that it names.
 *
 * @throws ConfigurationError for an unknown user, before anything is written; GatewayError `service_unavailable` when billing does not answer.
 */
export async function applyWallets(
  store: ConsoleStore,
  port: WalletPort,
  wallets: ConfigurationFile['wallets'],
): Promise<AppliedWallets> {
  const owners = await findOwners(store, wallets);
  const rows = await store.wallets.findAllByName(wallets.map(({ name }) => name));
  const opened: string[] = [];
  const limited: string[] = [];
  const configured: string[] = [];
  for (const wallet of wallets) {
    const userId = owners.get(wallet);
    const existing = rows.get(wallet.name);
    const walletId = existing?.id ?? (await openWallet(port, wallet, userId));
    if (!existing) opened.push(wallet.name);
    else if (userId !== undefined && existing.userId !== userId) await assignWallet(store, existing, userId);
    const creditLimit = wallet.credit_limit === undefined ? undefined : parseUsd(wallet.credit_limit);
    if (creditLimit !== undefined && creditLimit !== (existing?.creditLimit ?? 0n)) {
      await port.limitCredit({ walletId, creditLimit });
      limited.push(wallet.name);
    }
    const change = findDifferences(
      existing ?? NO_SETTINGS,
      omitUndefined({
        limits: wallet.limits,
        budgets: wallet.budgets,
        alertBelow: readThreshold(wallet.alert_below),
      }),
    );
    if (Object.keys(change).length === 0) continue;
    await store.wallets.update(walletId, change);
    configured.push(wallet.name);
  }
  return { opened, limited, configured };
}

/** Of a wallet that has just been opened. */
const NO_SETTINGS = { limits: {}, budgets: {}, alertBelow: null };

function readThreshold(text: FileWallet['alert_below']): bigint | null | undefined {
  if (text === undefined) return undefined;
  return text === 'default' ? null : parseUsd(text);
}

async function openWallet(port: WalletPort, wallet: FileWallet, userId: string | undefined): Promise<string> {
  const { walletId } = await port.openWallet({
    id: newId(),
    name: wallet.name,
    userId,
    openingBalance: parseUsd(wallet.balance),
  });
  return walletId;
}

async function findOwners(
  store: ConsoleStore,
  wallets: readonly FileWallet[],
): Promise<Map<FileWallet, string>> {
  const owners = new Map<FileWallet, string>();
  for (const [index, wallet] of wallets.entries()) {
    if (wallet.user === undefined) continue;
    const user = await store.users.findByEmail(wallet.user.toLowerCase());
    if (!user) throw new ConfigurationError(`wallets[${index}].user: there is no user "${wallet.user}".`);
    owners.set(wallet, user.id);
  }
  return owners;
}

async function assignWallet(store: ConsoleStore, wallet: WalletRow, userId: string): Promise<void> {
  await store.transaction(async (transaction) => {
    await transaction.wallets.assign(wallet.id, userId);
    await recordChange(transaction, toFileActor(), {
      action: 'wallet.assign',
      targetId: wallet.id,
      before: { user_id: wallet.userId },
      after: { user_id: userId },
    });
  });
}
