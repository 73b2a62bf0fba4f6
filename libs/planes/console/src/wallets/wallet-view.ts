import { formatUsd } from '@mg/contract';
import type { EntryKind, EntryRow, WalletRow, WalletTotals } from '@mg/persistence/console';
import type { z } from 'zod';
import type { entrySchema, walletSchema, walletTotalsSchema } from './wallet-schemas.js';

export type WalletView = z.output<typeof walletSchema>;
export type EntryView = z.output<typeof entrySchema>;

/** Kinds of entry that no call made: what makes them unique is billing's own business. */
const WITHOUT_REQUEST: ReadonlySet<EntryKind> = new Set(['topup', 'adjust']);

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

export function toEntryView(entry: EntryRow): EntryView {
  return {
    id: entry.id,
    created_at: entry.createdAt.toISOString(),
    kind: entry.kind,
    amount: formatUsd(entry.amount),
    balance_after: formatUsd(entry.balanceAfter ?? 0n),
    request_id: WITHOUT_REQUEST.has(entry.kind) ? null : entry.requestId,
    task_id: entry.taskId,
    note: entry.note,
  };
}
