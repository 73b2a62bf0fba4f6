import {
  type BudgetPeriod,
  type BudgetSubject,
  type ErrorCode,
  formatUsd,
  type HoldRefusal,
  type HoldRequest,
  type NanoUsd,
} from '@mg/contract';

/** The outcome of a request for a hold: money set aside, a refusal for the caller, or an error. */
export type HoldDecision =
  | { readonly granted: NanoUsd }
  | {
      readonly refused: HoldRefusal;
      readonly message: string;
      /** Seconds until a budget begins again. */
      readonly retryAfter?: number;
      /** Only leases hold what is missing, and their owners have been asked to give it back. */
      readonly leased?: true;
    }
  | { readonly failed: ErrorCode; readonly message: string; readonly cause?: string }
  /** Could not be decided at the moment, for a reason that passes: worth repeating with the same id. */
  | { readonly busy: true; readonly message: string };

/** One `hold_answer` of the database. */
export interface HoldRow {
  place: number;
  granted: string | null;
  refused: string | null;
  available: string | null;
  failure: string | null;
}

/** A request as the columns of `hold_question`. */
export function toHoldColumns(request: HoldRequest) {
  return {
    id: request.id,
    wallet_id: request.walletId,
    token_id: request.tokenId,
    model: request.model,
    price_version_id: request.priceVersionId,
    wanted: request.wanted.toString(),
    minimum: request.minimum.toString(),
    ttl_seconds: request.ttlSeconds,
    owner_instance: request.owner.instance,
    owner_epoch: request.owner.epoch,
  };
}

/** Reads an answer; the message of a refusal states the amounts. */
export function toDecision(row: HoldRow, request: HoldRequest): HoldDecision {
  if (row.granted !== null) return { granted: BigInt(row.granted) };
  const available = formatUsd(BigInt(row.available ?? 0));
  const needed = formatUsd(request.minimum);
  switch (row.refused) {
    case 'insufficient_balance':
      return {
        refused: 'insufficient_balance',
        message: `This call may cost ${needed} USD and the wallet has ${available} USD available.`,
      };
    case 'quota_exceeded':
      return {
        refused: 'quota_exceeded',
        message: `This call may cost ${needed} USD and the token's spending quota has ${available} USD left.`,
      };
    case 'budget_exceeded':
      return refuseByBudget(row, needed, available);
    case 'invalid_api_key':
      return { refused: 'invalid_api_key', message: 'The API key was disabled or has expired.' };
    case 'unknown_payer':
      return { failed: 'service_unavailable', message: 'Billing does not know this wallet and token yet.' };
    case 'busy':
      return { busy: true, message: 'The wallet is in use by another transaction; try again shortly.' };
    case 'mismatch':
      return { failed: 'conflict', message: 'This request id is held by another token.' };
    case 'closed':
      return { failed: 'conflict', message: 'This request was given up already.' };
    default:
      return {
        failed: 'internal_error',
        message: 'Billing could not hold money for this call.',
        cause: row.failure ?? 'unknown',
      };
  }
}

/** What `failure` says of a budget that refuses: whose it is, its period and the seconds until that is over. */
interface BudgetFacts {
  readonly subject: BudgetSubject;
  readonly period: BudgetPeriod;
  readonly seconds: number;
}

function refuseByBudget({ failure }: HoldRow, needed: string, available: string): HoldDecision {
  const { subject, period, seconds } = JSON.parse(failure ?? '{}') as BudgetFacts;
  return {
    refused: 'budget_exceeded',
    message: `This call may cost ${needed} USD and the ${subject}'s budget of the ${period} has ${available} USD left.`,
    retryAfter: Math.max(1, seconds),
  };
}
