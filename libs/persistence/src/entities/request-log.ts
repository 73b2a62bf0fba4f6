import type { AttemptRow, UsageRow } from '@mg/contract';
import { EntitySchema } from 'typeorm';
import { moneyColumn } from './column-types.js';

/** One call, as its gateway logged it. Cost in nano-dollars. */
export interface LoggedCallRow {
  requestId: string;
  createdAt: Date;
  userId: string;
  tokenId: string;
  tokenName: string;
  walletId: string;
  model: string;
  /** What the call named, where it was not the model's slug. */
  askedModel: string | null;
  endpoint: string;
  channel: string | null;
  status: number;
  errorCode: string | null;
  /** The error message that the caller got. */
  errorMessage: string | null;
  stream: boolean;
  latencyMs: number;
  ttftMs: number | null;
  usage: Partial<UsageRow>;
  cost: bigint;
  estimated: boolean;
  reason: string;
  attempts: AttemptRow[];
  priceVersionId: string | null;
  leaseId: string | null;
}

export const RequestLogEntity = new EntitySchema<LoggedCallRow>({
  name: 'request_log',
  columns: {
    requestId: { name: 'request_id', type: 'uuid', primary: true },
    createdAt: { name: 'created_at', type: 'timestamptz' },
    userId: { name: 'user_id', type: 'uuid' },
    tokenId: { name: 'token_id', type: 'uuid' },
    tokenName: { name: 'token_name', type: 'text' },
    walletId: { name: 'wallet_id', type: 'uuid' },
    model: { type: 'text' },
    askedModel: { name: 'asked_model', type: 'text', nullable: true },
    endpoint: { type: 'text' },
    channel: { type: 'text', nullable: true },
    status: { type: 'integer' },
    errorCode: { name: 'error_code', type: 'text', nullable: true },
    errorMessage: { name: 'error_message', type: 'text', nullable: true },
    stream: { type: 'boolean' },
    latencyMs: { name: 'latency_ms', type: 'integer' },
    ttftMs: { name: 'ttft_ms', type: 'integer', nullable: true },
    usage: { type: 'jsonb' },
    cost: moneyColumn('cost'),
    estimated: { type: 'boolean' },
    reason: { type: 'text' },
    attempts: { type: 'jsonb' },
    priceVersionId: { name: 'price_version_id', type: 'uuid', nullable: true },
    leaseId: { name: 'lease_id', type: 'uuid', nullable: true },
  },
});
