import { formatUsd } from '@mg/contract';
import type { RedemptionBatch, RedemptionCodeRow } from '@mg/persistence/console';
import type { z } from 'zod';
import type { batchSchema, codeSchema } from './redemption-schemas.js';

export type BatchView = z.output<typeof batchSchema>;
export type CodeView = z.output<typeof codeSchema>;

export function toBatchView(batch: RedemptionBatch): BatchView {
  return {
    id: batch.id,
    amount: formatUsd(batch.amount),
    count: batch.count,
    redeemed: batch.redeemed,
    note: batch.note,
    expires_at: batch.expiresAt?.toISOString() ?? null,
    disabled: batch.disabled,
    created_at: batch.createdAt.toISOString(),
  };
}

export function toCodeView(code: RedemptionCodeRow): CodeView {
  return {
    id: code.id,
    hint: code.hint,
    wallet_id: code.walletId,
    claimed_by: code.claimedBy,
    claimed_at: code.claimedAt?.toISOString() ?? null,
    credited_at: code.creditedAt?.toISOString() ?? null,
  };
}
