import { formatUsd } from '@mg/contract';
import type { WalletRow, WalletTotals } from '@mg/persistence/console';
import type { z } from 'zod';
import type { walletSchema, walletTotalsSchema } from './wallet-schemas.js';

export type WalletView = z.output<typeof walletSchema>;

export function toWalletView(wallet: WalletRow): WalletView {
  return {
    id: wallet.id,
    name: wallet.name,
    user_id: wallet.userId,
    balance: formatUsd(wallet.balance),
    held: formatUsd(wallet.held),
    credit_limit: formatUsd(wallet.creditLimit),
    available: formatUsd(wallet.balance - wallet.held + wallet.creditLimit),
    limits: wallet.limits,
    budgets: wallet.budgets,
    alert_below: wallet.alertBelow === null ? null : formatUsd(wallet.alertBelow),
    created_at: wallet.createdAt.toISOString(),
  };
}

export function toTotalsView(totals: WalletTotals): z.output<typeof walletTotalsSchema> {
  return {
    count: totals.count,
    balance: formatUsd(totals.balance),
    held: formatUsd(totals.held),
    available: formatUsd(totals.balance - totals.held + totals.creditLimit),
  };
}
