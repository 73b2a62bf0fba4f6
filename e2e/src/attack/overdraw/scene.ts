import { randomUUID } from 'node:crypto';
import { formatUsd, parseUsd } from '@mg/contract';
import type { WalletRow } from '../../clients/console-client.js';
import { waitUntil } from '../../wait-until.js';
import type { AttackTarget } from '../attack.js';
import type { TwoUsers } from '../two-users.js';
import type { MaximumCostProvider } from './maximum-cost-provider.js';
import type { CreatedModels } from './models.js';

/** What the wallet holds before each trick, in nano-dollars. */
export const FUNDS = parseUsd('1');
const SETTLED_WITHIN_MS = 30_000;

export const OK = 200;
export const REFUSED = 400;
export const UNAVAILABLE = 503;
/** What ends a call that costs nothing: no funds, no room for so many bodies, a wallet that too many ask for at once. */
export const FREE: ReadonlySet<number> = new Set([402, 429, UNAVAILABLE]);

/** A member with one dollar, and the provider whose calls it pays. */
export interface Scene {
  readonly target: AttackTarget;
  readonly users: TwoUsers;
  readonly wallet: WalletRow;
  readonly models: CreatedModels;
  readonly provider: MaximumCostProvider;
}

/** Fills the wallet up to one dollar. */
export async function fillWallet({ users: { administrator }, wallet }: Scene): Promise<void> {
  const { balance } = await administrator.demand<WalletRow>('GET', `/wallets/${wallet.id}`);
  const missing = FUNDS - parseUsd(balance);
  if (missing === 0n) return;
  await administrator.demand('POST', `/wallets/${wallet.id}/topups`, {
    amount: formatUsd(missing),
    idempotency_key: randomUUID(),
  });
}

/** The balance once nothing is held any more, in nano-dollars. */
export function waitForBalance({ users, wallet }: Scene): Promise<bigint> {
  const ask = async () => {
    const path = `/wallets/${wallet.id}`;
    const { balance, held } = await users.administrator.demand<WalletRow>('GET', path);
    return parseUsd(held) === 0n && parseUsd(balance);
  };
  return waitUntil('the bill', ask, SETTLED_WITHIN_MS);
}
