import { type ConfigurationFile, newId, parseUsd, type WalletPort } from '@mg/contract';
import type { ConsoleStore } from '@mg/persistence';

/**
 * Opens the wallets of the file that do not exist yet, each with its opening balance as a ledger entry. Answers the
 * names of those it opened.
 *
 * @throws GatewayError `service_unavailable` when billing does not answer.
 */
export async function applyWallets(
  store: ConsoleStore,
  port: WalletPort,
  wallets: ConfigurationFile['wallets'],
): Promise<string[]> {
  const opened: string[] = [];
  for (const wallet of wallets) {
    if (await store.wallets.findByName(wallet.name)) continue;
    await port.openWallet({
      id: newId(),
      name: wallet.name,
      userId: undefined,
      openingBalance: parseUsd(wallet.balance),
    });
    opened.push(wallet.name);
  }
  return opened;
}
