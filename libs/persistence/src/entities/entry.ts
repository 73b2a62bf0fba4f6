import { EntitySchema } from 'typeorm';
import { createdAtColumn, moneyColumn } from './column-types.js';

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
