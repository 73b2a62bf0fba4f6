import { EntitySchema } from 'typeorm';
import { createdAtColumn, moneyColumn } from './column-types.js';

/** Codes of one amount that were made together. Amount in nano-dollars. */
export interface RedemptionBatchRow {
  id: string;
  note: string;
  amount: bigint;
  /** How many codes there are. */
  count: number;
  expiresAt: Date | null;
  disabled: boolean;
  /** The user who made them. */
  createdBy: string;
  createdAt: Date;
}

export const RedemptionBatchEntity = new EntitySchema<RedemptionBatchRow>({
  name: 'redemption_batch',
  columns: {
    id: { type: 'uuid', primary: true },
    note: { type: 'text' },
    amount: moneyColumn('amount'),
    count: { type: 'integer' },
    expiresAt: { name: 'expires_at', type: 'timestamptz', nullable: true },
    disabled: { type: 'boolean' },
    createdBy: { name: 'created_by', type: 'uuid' },
    createdAt: createdAtColumn(),
  },
});

/** One code, kept as its hash: the code itself is stored nowhere. */
export interface RedemptionCodeRow {
  id: string;
  batchId: string;
  codeHash: string;
  /** The end of the code, to recognise it by. */
  hint: string;
  walletId: string | null;
  claimedBy: string | null;
  claimedAt: Date | null;
  creditedAt: Date | null;
}

export const RedemptionCodeEntity = new EntitySchema<RedemptionCodeRow>({
  name: 'redemption_code',
  columns: {
    id: { type: 'uuid', primary: true },
    batchId: { name: 'batch_id', type: 'uuid' },
    codeHash: { name: 'code_hash', type: 'text' },
    hint: { type: 'text' },
    walletId: { name: 'wallet_id', type: 'uuid', nullable: true },
    claimedBy: { name: 'claimed_by', type: 'uuid', nullable: true },
    claimedAt: { name: 'claimed_at', type: 'timestamptz', nullable: true },
    creditedAt: { name: 'credited_at', type: 'timestamptz', nullable: true },
  },
});
