import type { ErrorCode } from './errors.js';
import type { HoldMessage, HoldOutcome, HoldOwner, HoldRefusal, HoldRequest } from './hold.js';
import type { NanoUsd } from './money.js';
import type { TaskEndState, TaskError, ApiVariant, TaskResult, TaskState } from './video.js';

/** Patterns of the billing plane's requests over Redis. Each may be sent again. */
export const BILLING_PATTERN = {
  holdOpen: 'billing.hold_open',
  walletOpen: 'billing.wallet_open',
  topUp: 'billing.top_up',
  creditLimit: 'billing.credit_limit',
  taskOpen: 'billing.task_open',
  taskCharge: 'billing.task_charge',
  taskEnd: 'billing.task_end',
  leaseOpen: 'billing.lease_open',
  leaseReturn: 'billing.lease_return',
  heartbeat: 'billing.heartbeat',
  ping: 'billing.ping',
} as const;

/** Holds at most in one `billing.hold_open` message. */
export const MAX_HOLDS_PER_MESSAGE = 128;
/** Holds at most that one heartbeat renews. */
export const MAX_RENEWALS_PER_MESSAGE = 500;

export interface TopUpRequest {
  readonly walletId: string;
  /** Signed: negative amounts are adjustments. */
  readonly amount: NanoUsd;
  readonly note: string;
  /** The same key credits once. */
  readonly idempotencyKey: string;
}

export interface TopUpOutcome {
  readonly entryId: string;
  readonly balance: NanoUsd;
}

export interface CreditLimitRequest {
  readonly walletId: string;
  /** How far the wallet may go below zero; 0 or more. */
  readonly creditLimit: NanoUsd;
}

export interface WalletOpenRequest {
  readonly id: string;
  readonly name: string;
  readonly userId: string | undefined;
  /** Credited once, as a ledger entry. */
  readonly openingBalance: NanoUsd;
}

/** The door to the billing plane. Every method rejects with `service_unavailable` when billing does not answer in time. */
export interface WalletPort {
  openHold(request: HoldRequest): Promise<HoldOutcome>;
  /** Has an open hold of this very life of a process charge by another price; answers whether it does. */
  repriceHold(owner: HoldOwner, requestId: string, priceVersionId: string): Promise<boolean>;
  /** Creates a wallet, or leaves the one of that name as it is; answers its id. */
  openWallet(request: WalletOpenRequest): Promise<{ readonly walletId: string }>;
  topUp(request: TopUpRequest): Promise<TopUpOutcome>;
  /** Sets how far a wallet may go below zero; answers the limit before. */
  limitCredit(request: CreditLimitRequest): Promise<NanoUsd>;
  heartbeat(owner: HoldOwner): Promise<void>;
  /**
   * Has the open holds of this very life of a process stand for `RENEWED_HOLD_SECONDS` from now. Answers the ids of those
   * that do; at most `MAX_RENEWALS_PER_MESSAGE` are asked for.
   */
  renewHolds(owner: HoldOwner, requestIds: readonly string[]): Promise<readonly string[]>;
  ping(): Promise<void>;
}

/** Answers as they travel: amounts are decimal digits of nano-dollars. `failed` says that the request itself was at fault. */
export type HoldReply =
  | { readonly granted: string }
  | {
      readonly refused: HoldRefusal;
      readonly message: string;
      /** Only leases hold what is missing, and they have been recalled: worth repeating with the same id for one TTL. */
      readonly leased?: true;
      /** Seconds until a budget begins again. */
      readonly retryAfter?: number;
    }
  | {
      readonly failed: ErrorCode;
      readonly message: string;
      /** The wallet was locked or another transaction interfered: worth repeating with the same id. */
      readonly busy?: true;
    };

export interface HoldOpenMessage {
  readonly holds: readonly HoldMessage[];
}

/** One outcome for each hold of the message, in its order. */
export interface HoldOpenReply {
  readonly outcomes: readonly HoldReply[];
}

export interface TaskOpenMessage {
  /** Its id is the task's, under which the order is stored already. */
  readonly hold: HoldMessage;
  readonly task: {
    readonly public_id: string;
    /** The task's `apiVariant`, under its first name: gateways and billing of two versions talk to each other. */
    readonly face: ApiVariant;
    readonly user_id: string;
    readonly seconds: number;
    readonly price_variant: string | null;
    readonly callback_url: string | null;
    readonly deadline_seconds: number;
  };
}

export interface TaskOpenReply {
  readonly outcome: HoldReply;
}

export interface TaskChargeMessage {
  readonly task_id: string;
}

export interface TaskChargeReply {
  readonly charged: string;
}

export interface TaskEndMessage {
  readonly task_id: string;
  readonly state: TaskEndState;
  readonly from: readonly TaskState[] | null;
  readonly error: TaskError | null;
  readonly result: TaskResult | null;
  readonly actual_seconds: number | null;
  readonly note: string;
}

export interface TaskEndReply {
  readonly state: TaskState;
  readonly charged: string;
  readonly ended: boolean;
}

export interface TopUpMessage {
  readonly wallet_id: string;
  readonly amount: string;
  readonly note: string;
  readonly idempotency_key: string;
}

export interface TopUpReply {
  readonly entry_id: string;
  readonly balance: string;
}

export interface CreditLimitMessage {
  readonly wallet_id: string;
  readonly credit_limit: string;
}

export interface CreditLimitReply {
  /** The limit before. */
  readonly earlier: string;
}

export interface WalletOpenMessage {
  readonly id: string;
  readonly name: string;
  readonly user_id: string | null;
  readonly opening_balance: string;
}

export interface WalletOpenReply {
  readonly wallet_id: string;
}

export interface HeartbeatMessage {
  readonly instance: string;
  readonly epoch: string;
  /** Requests whose holds are to stand longer. */
  readonly renew?: readonly string[];
  /** A request whose hold is to charge by another price: another model answers it. */
  readonly reprice?: { readonly id: string; readonly price_version_id: string };
}

export interface HeartbeatReply {
  readonly renewed: readonly string[];
  readonly repriced?: boolean;
}
