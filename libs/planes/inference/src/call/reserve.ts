import {
  GatewayError,
  type HoldOutcome,
  type HoldRequest,
  type Model,
  type NanoUsd,
  type PinnedPrice,
  priceAt,
} from '@mg/contract';
import { isPriced, outputTokensWithin, worstCaseOfCall } from '@mg/pricing';
import type { Kit } from '../kit.js';
import type { CallRecord } from './call-record.js';

/** What a token-priced call may consume at most. */
export interface CallSize {
  readonly promptTokens: number;
  /** The caller's own cap on one answer's tokens. */
  readonly maxTokens: number | undefined;
  /** Answers asked for; each may use the cap. */
  readonly choices: number;
}

/** Money set aside for a call. */
export interface Hold {
  readonly requestId: string;
  readonly granted: NanoUsd;
  readonly price: PinnedPrice;
  /** Cap to pass upstream because the funds cover no more; only for callers who set none. */
  readonly cap: number | undefined;
}

/** Assumed for a model whose longest answer nobody told us. */
const DEFAULT_MAX_OUTPUT_TOKENS = 16_384;
/** A call without a cap of its own is worth starting when the funds cover at least this much answer. */
const SMALLEST_ANSWER_TOKENS = 64;
const HOLD_TTL_SECONDS = 20 * 60;

/**
 * Has billing hold the worst case of a call, fails closed.
 *
 * @throws GatewayError `model_not_priced`, `insufficient_balance`, `quota_exceeded` or `service_unavailable`.
 */
export async function reserve(call: CallRecord, model: Model, size: CallSize, kit: Kit): Promise<Hold> {
  const pinned = priceAt(model, Date.now());
  if (!pinned || !isPriced(model.kind, pinned.price)) {
    throw new GatewayError(
      'model_not_priced',
      `The model "${model.slug}" has no price, so it cannot be used.`,
      {
        param: 'model',
      },
    );
  }
  call.priceVersionId = pinned.versionId;
  const longest = model.maxOutputTokens ?? DEFAULT_MAX_OUTPUT_TOKENS;
  const capped = size.maxTokens ?? longest;
  const wanted = worstCaseOf(size, capped, pinned);
  const minimum =
    size.maxTokens === undefined
      ? worstCaseOf(size, Math.min(SMALLEST_ANSWER_TOKENS, longest), pinned)
      : wanted;
  const outcome = await openHold(
    {
      id: call.requestId,
      walletId: call.caller.walletId,
      tokenId: call.caller.id,
      model: model.slug,
      priceVersionId: pinned.versionId,
      wanted,
      minimum,
      ttlSeconds: HOLD_TTL_SECONDS,
      owner: kit.owner,
    },
    kit,
  );
  if ('refused' in outcome) throw new GatewayError(outcome.refused, outcome.message);
  return {
    requestId: call.requestId,
    granted: outcome.granted,
    price: pinned,
    cap: outcome.granted < wanted ? capWithin(outcome.granted, size, pinned) : undefined,
  };
}

function worstCaseOf(size: CallSize, outputTokens: number, pinned: PinnedPrice): NanoUsd {
  return worstCaseOfCall(
    { promptTokens: size.promptTokens, outputTokens: outputTokens * size.choices },
    pinned.price,
  );
}

function capWithin(granted: NanoUsd, size: CallSize, pinned: PinnedPrice): number | undefined {
  const tokens = outputTokensWithin(granted, size.promptTokens, pinned.price);
  return tokens === undefined ? undefined : Math.max(1, Math.floor(tokens / size.choices));
}

/** A refusal may rest on calls that have ended but whose rows are still on their way: write them, then ask once more. */
async function openHold(request: HoldRequest, kit: Kit): Promise<HoldOutcome> {
  const outcome = await kit.wallet.openHold(request);
  if ('granted' in outcome || kit.journal.pending === 0 || kit.journal.failingMs > 0) return outcome;
  await kit.journal.flush();
  return kit.wallet.openHold(request);
}
