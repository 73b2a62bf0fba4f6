import { EntitySchema } from 'typeorm';
import { createdAtColumn, moneyColumn, readOnlyMoneyColumn } from './column-types.js';

/** A wallet as the console reads it; billing alone writes it. Amounts in nano-dollars. */
export interface WalletRow {
  id: string;
  name: string;
  /** Wallets without a user belong to the operator. */
  userId: string | null;
  balance: bigint;
  held: bigint;
  /** How far the wallet may go below zero. */
  creditLimit: bigint;
  createdAt: Date;
}

export const WalletEntity = new EntitySchema<WalletRow>({
  name: 'wallet',
  columns: {
    id: { type: 'uuid', primary: true },
    name: { type: 'text' },
    userId: { name: 'user_id', type: 'uuid', nullable: true },
    balance: readOnlyMoneyColumn('balance'),
    held: readOnlyMoneyColumn('held'),
    creditLimit: readOnlyMoneyColumn('credit_limit'),
    createdAt: createdAtColumn(),
  },
});

export type EntryKind = 'charge' | 'refund' | 'topup' | 'adjust' | 'late_charge' | 'true_up' | 'waste';

/** One leg of a ledger transaction. Amounts in nano-dollars. */
export interface EntryRow {
  id: string;
  txId: string;
  account: string;
  walletId: string | null;
  tokenId: string | null;
  amount: bigint;
  balanceAfter: bigint | null;
  /** The call's id, or what made a top-up unique. */
  requestId: string;
  taskId: string | null;
  kind: EntryKind;
  note: string;
  createdAt: Date;
}

export const EntryEntity = new EntitySchema<EntryRow>({
  name: 'entry',
  columns: {
    id: { type: 'bigint', primary: true },
    txId: { name: 'tx_id', type: 'uuid' },
    account: { type: 'text' },
    walletId: { name: 'wallet_id', type: 'uuid', nullable: true },
    tokenId: { name: 'token_id', type: 'uuid', nullable: true },
    amount: moneyColumn('amount'),
    balanceAfter: moneyColumn('balance_after', true),
    requestId: { name: 'request_id', type: 'text' },
    taskId: { name: 'task_id', type: 'uuid', nullable: true },
    kind: { type: 'text' },
    note: { type: 'text' },
    createdAt: createdAtColumn(),
  },
});
