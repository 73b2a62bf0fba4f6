import type { HoldOwner } from './hold.js';
import type { NanoUsd } from './money.js';

/**
 * For how long calls are admitted from a lease, counted from when billing grants it. Its owner counts from the moment before it
 * asked, and `LEASE_MARGIN_MS` less.
 */
export const LEASE_TTL_MS = 5_000;
export const LEASE_MARGIN_MS = 500;

/** Leases at most in one message. */
export const MAX_LEASES_PER_MESSAGE = 64;

/** Asks billing for a slice of a wallet, from which the owner admits calls of one token by itself. */
export interface LeaseRequest {
  /** The same id asked twice is one lease. */
  readonly id: string;
  readonly walletId: string;
  readonly tokenId: string;
  /** The most that is of use. */
  readonly wanted: NanoUsd;
  /** The largest worst case of the calls that it is for. */
  readonly worst: NanoUsd;
  /** What is not given back by then is no longer the gateway's; on Postgres's clock. */
  readonly ttlSeconds: number;
}

/**
 * Why there is no lease: the wallet or the quota is `small`; billing does not count the owner among the living (`fenced`) or
 * does not know the payer; the lease was `closed` before; the wallet is `busy`.
 */
export type LeaseRefusal = 'small' | 'fenced' | 'unknown_payer' | 'closed' | 'busy';

export type LeaseOutcome = { readonly granted: NanoUsd } | { readonly refused: LeaseRefusal };

/** Gives back a part of a lease. No call is admitted from it any more. */
export interface LeaseReturn {
  readonly id: string;
  readonly walletId: string;
  readonly tokenId: string;
  /** What stays: what its calls have consumed, and the worst cases of those in progress. */
  readonly amount: NanoUsd;
  /** No call is in progress, and the rows of all are in the journal. */
  readonly isFinal: boolean;
}

/** Leases as billing grants and takes them back. Both verbs may be asked again. */
export interface LeasePort {
  /** One outcome for each request, in their order; at most `MAX_LEASES_PER_MESSAGE` at once. */
  openLeases(owner: HoldOwner, requests: readonly LeaseRequest[]): Promise<readonly LeaseOutcome[]>;
  /** Answers the ids of those that it has dealt with; the wallets of the others are busy. At most `MAX_LEASES_PER_MESSAGE`. */
  returnLeases(owner: HoldOwner, leases: readonly LeaseReturn[]): Promise<readonly string[]>;
}

export interface LeaseOpenMessage {
  readonly instance: string;
  readonly epoch: string;
  readonly leases: readonly {
    readonly id: string;
    readonly wallet_id: string;
    readonly token_id: string;
    readonly wanted: string;
    readonly worst: string;
    readonly ttl_seconds: number;
  }[];
}

/** One outcome for each lease of the message, in its order. */
export interface LeaseOpenReply {
  readonly outcomes: readonly ({ readonly granted: string } | { readonly refused: LeaseRefusal })[];
}

export interface LeaseReturnMessage {
  readonly instance: string;
  readonly epoch: string;
  readonly leases: readonly {
    readonly id: string;
    readonly wallet_id: string;
    readonly token_id: string;
    readonly amount: string;
    readonly final: boolean;
  }[];
}

export interface LeaseReturnReply {
  readonly returned: readonly string[];
}
