import type { NanoUsd } from './money.js';

/** The process that holds money for a call: an epoch is one life of an instance, so a new one proves the old one dead. */
export interface HoldOwner {
  readonly instance: string;
  readonly epoch: string;
}

/** The longest time of a hold of a call; videos have their own. Billing refuses to hold for longer. */
export const LONGEST_HOLD_SECONDS = 24 * 60 * 60;

/**
 * The longest time of a hold of a line that a provider carries out in a batch of its own: the day of the batch, and two hours
 * in which its results are fetched.
 */
export const LONGEST_BATCH_HOLD_SECONDS = 26 * 60 * 60;

/** How long a renewed hold stands, from the moment of its renewal. */
export const RENEWED_HOLD_SECONDS = 10 * 60;

/** Asks billing to set money aside for one call, at most `wanted` and at least `minimum`. */
export interface HoldRequest {
  /** The request's id: the same id asked twice is one hold. */
  readonly id: string;
  readonly walletId: string;
  readonly tokenId: string;
  readonly model: string;
  readonly priceVersionId: string;
  /** Worst case of the call. */
  readonly wanted: NanoUsd;
  /** Smallest amount worth holding; equal to `wanted` when the caller fixed the call's size. */
  readonly minimum: NanoUsd;
  /** The hold's deadline, counted on Postgres's clock. */
  readonly ttlSeconds: number;
  readonly owner: HoldOwner;
}

export type HoldRefusal = 'insufficient_balance' | 'quota_exceeded' | 'budget_exceeded' | 'invalid_api_key';

export type HoldOutcome =
  | { readonly granted: NanoUsd }
  | {
      readonly refused: HoldRefusal;
      readonly message: string;
      /** Seconds after which there may be money again: of a budget, the rest of its period. */
      readonly retryAfter?: number;
    };

/** A request for a hold as it travels: JSON, amounts as decimal digits of nano-dollars. */
export interface HoldMessage {
  readonly id: string;
  readonly wallet_id: string;
  readonly token_id: string;
  readonly model: string;
  readonly price_version_id: string;
  readonly wanted: string;
  readonly minimum: string;
  readonly ttl_seconds: number;
  readonly owner_instance: string;
  readonly owner_epoch: string;
}
