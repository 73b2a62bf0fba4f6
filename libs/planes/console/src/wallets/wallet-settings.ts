import { omitUndefined, parseUsd } from '@mg/contract';
import type { WalletSettings } from '@mg/persistence/console';

import type { WalletChange } from './wallet-schemas.js';

/** What a request configures of a wallet, as it is stored: what it leaves out is left out. */
export function toWalletSettings({ limits, budgets, alert_below: amount }: WalletChange): WalletSettings {
  const alertBelow = typeof amount === 'string' ? parseUsd(amount) : amount;
  return omitUndefined({ limits, budgets, alertBelow });
}
