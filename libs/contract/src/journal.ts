import type { NanoUsd } from './money.js';
import type { Usage } from './usage.js';
import type { WastedAttempt } from './waste.js';

/**
 * What a gateway leaves for billing about a call: `checkpoint` while a long stream runs, then one of
 * `usage` (charge this) or `cancel` (release the hold).
 */
export type JournalPhase = 'checkpoint' | 'usage' | 'cancel';

/** Whom a call is charged to, and at which price, should its hold be lost: as the hold says it. */
export interface JournalPayer {
  readonly walletId: string;
  readonly tokenId: string;
  readonly priceVersionId: string;
}

/** The lease that a call was admitted from, and the call's worst case, which it takes from it at most. */
export interface CallLease {
  readonly id: string;
  readonly worst: NanoUsd;
}

export interface JournalRow {
  readonly requestId: string;
  /** Order within the request, from 0. */
  readonly seq: number;
  readonly phase: JournalPhase;
  readonly usage: Usage;
  /** True when a tokenizer counted because the upstream did not report. */
  readonly estimated: boolean;
  /** Of a row that charges, of one with waste, and of every row of a leased call. */
  readonly payer?: JournalPayer;
  /** Attempts of the call that an upstream may bill us for and that nobody pays; of the row that ends a call. */
  readonly waste?: readonly WastedAttempt[];
  /** Of a row of a call that was admitted from a lease. */
  readonly lease?: CallLease;
}

/** One try at an upstream channel, as the log shows it. */
export interface AttemptRow {
  readonly channel: string;
  readonly outcome: 'served' | 'failed' | 'aborted' | 'skipped';
  readonly status: number | null;
  readonly latency_ms: number;
  /** Why this channel was chosen, and how the try ended where it failed. */
  readonly reason: string;
}

/**
 * How a call ended. Answered and charged in full: `over_hold` where it cost more than was held for it, else `estimated` where
 * the upstream did not report its usage, else `retried` where other channels had failed before, else `completed`.
 * Others: `cached` is answered by what an equal call was, for nothing; `client_aborted` is charged for what was sent and produced until the client left, `upstream_failed` and `refused`
 * for nothing, `gateway_lost` for what the gateway had noted before its process was lost. docs/money.md has the policy of each.
 */
export const CALL_REASONS = [
  'completed',
  'over_hold',
  'estimated',
  'retried',
  'cached',
  'client_aborted',
  'upstream_failed',
  'refused',
  'gateway_lost',
] as const;
export type CallReason = (typeof CALL_REASONS)[number];

/** One call in the request log. */
export interface RequestLogRow {
  readonly requestId: string;
  readonly createdAt: Date;
  readonly userId: string;
  readonly tokenId: string;
  readonly tokenName: string;
  readonly walletId: string;
  readonly model: string;
  /** What the call named, where it was not the model's slug. */
  readonly askedModel?: string | undefined;
  readonly endpoint: string;
  readonly channel: string | undefined;
  readonly status: number;
  readonly errorCode: string | undefined;
  /** The error message that the caller got. */
  readonly errorMessage?: string | undefined;
  readonly stream: boolean;
  readonly latencyMs: number;
  readonly ttftMs: number | undefined;
  readonly usage: Usage;
  readonly cost: NanoUsd;
  readonly estimated: boolean;
  readonly reason: CallReason;
  readonly attempts: readonly AttemptRow[];
  readonly priceVersionId: string | undefined;
  /** The lease that the call was admitted from. */
  readonly leaseId?: string | undefined;
}
