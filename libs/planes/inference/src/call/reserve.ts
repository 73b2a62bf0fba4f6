import {
  applyVariant,
  chooseVariant,
  GatewayError,
  type HoldOutcome,
  type HoldRequest,
  type Model,
  type NanoUsd,
  type PinnedPrice,
  type Price,
  priceAt,
  type Usage,
} from '@mg/contract';
import { isPriced, outputTokensWithin, worstCaseOfCall, worstCaseOfUsage } from '@mg/pricing';
import type { Kit } from '../kit.js';
import type { CallRecord } from './call-record.js';
import type { Hold } from './hold.js';
import { release } from './settle.js';

/** What a token-priced call may consume at most. */
export interface CallSize {
  readonly promptTokens: number;
  /** The caller's own cap on one answer's tokens. */
  readonly maxTokens: number | undefined;
  /** Answers asked for; each may use the cap. */
  readonly choices: number;
}

/** Assumed for a model whose longest answer nobody told us. */
const DEFAULT_MAX_OUTPUT_TOKENS = 16_384;
/** A call without a cap of its own is worth starting when the funds cover at least this much answer. */
const SMALLEST_ANSWER_TOKENS = 64;
const HOLD_TTL_SECONDS = 20 * 60;

/**
 * Has billing hold the worst case of a chat, fails closed. A caller without a cap of their own gets what the funds cover.
 *
 * @throws GatewayError `model_not_priced`, `insufficient_balance`, `quota_exceeded` or `service_unavailable`.
 */
export async function reserve(call: CallRecord, model: Model, size: CallSize, kit: Kit): Promise<Hold> {
  const pinned = pinPrice(call, model);
  refuseUnpriced(model, pinned.price);
  const longest = model.maxOutputTokens ?? DEFAULT_MAX_OUTPUT_TOKENS;
  const capped = size.maxTokens ?? longest;
  const wanted = worstCaseOf(size, capped, pinned);
  const minimum =
    size.maxTokens === undefined
      ? worstCaseOf(size, Math.min(SMALLEST_ANSWER_TOKENS, longest), pinned)
      : wanted;
  const granted = await hold(call, model, pinned, { wanted, minimum }, kit);
  return {
    requestId: call.requestId,
    granted,
    price: pinned,
    cap: granted < wanted ? capWithin(granted, size, pinned) : undefined,
  };
}

/** Money set aside for a call whose usage has a bound of its own. */
export interface BoundHold extends Hold {
  /** The price variant that the call is billed by. */
  readonly variant: string | undefined;
}

/**
 * Has billing hold what a call of bounded usage can cost at most, fails closed.
 *
 * @param variants price variants that may apply, the most precise first.
 * @throws GatewayError `model_not_priced`, `insufficient_balance`, `quota_exceeded` or `service_unavailable`.
 */
export async function reserveUsage(
  call: CallRecord,
  model: Model,
  bound: Usage,
  variants: readonly string[],
  kit: Kit,
): Promise<BoundHold> {
  const pinned = pinPrice(call, model);
  const variant = chooseVariant(pinned.price, variants);
  refuseUnpriced(model, applyVariant(pinned.price, variant));
  const wanted = worstCaseOfUsage(variant === undefined ? bound : { ...bound, variant }, pinned.price);
  const granted = await hold(call, model, pinned, { wanted, minimum: wanted }, kit);
  return { requestId: call.requestId, granted, price: pinned, cap: undefined, variant };
}

/** The price in force now: it holds for the call from here to its end. */
function pinPrice(call: CallRecord, model: Model): PinnedPrice {
  const pinned = priceAt(model, Date.now());
  if (!pinned) throw refusePrice(model);
  call.priceVersionId = pinned.versionId;
  return pinned;
}

function refuseUnpriced(model: Model, price: Price): void {
  if (!isPriced(model.kind, price)) throw refusePrice(model);
}

function refusePrice(model: Model): GatewayError {
  return new GatewayError(
    'model_not_priced',
    `The model "${model.slug}" has no price for this call, so it cannot be used.`,
    { param: 'model' },
  );
}

async function hold(
  call: CallRecord,
  model: Model,
  pinned: PinnedPrice,
  amounts: { readonly wanted: NanoUsd; readonly minimum: NanoUsd },
  kit: Kit,
): Promise<NanoUsd> {
  const outcome = await openHold(
    {
      id: call.requestId,
      walletId: call.caller.walletId,
      tokenId: call.caller.id,
      model: model.slug,
      priceVersionId: pinned.versionId,
      ...amounts,
      ttlSeconds: HOLD_TTL_SECONDS,
      owner: kit.owner,
    },
    kit,
  );
  if ('refused' in outcome) throw new GatewayError(outcome.refused, outcome.message);
  return outcome.granted;
}

function worstCaseOf(size: CallSize, outputTokens: number, pinned: PinnedPrice): NanoUsd {
  return worstCaseOfCall(
    { promptTokens: size.promptTokens, outputTokens: outputTokens * size.choices },
    pinned.price,
  );
}

function capWithin(granted: NanoUsd, size: CallSize, pinned: PinnedPrice): number | undefined {
  const tokens = outputTokensWithin(granted, { promptTokens: size.promptTokens }, pinned.price);
  return tokens === undefined ? undefined : Math.max(1, Math.floor(tokens / size.choices));
}

/** Billing that does not answer in time may answer yet: what it then holds, nobody would ever use. */
async function openHold(request: HoldRequest, kit: Kit): Promise<HoldOutcome> {
  try {
    return await askTwice(request, kit);
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'service_unavailable') {
      release({ requestId: request.id }, kit);
    }
    throw error;
  }
}

/** A refusal may rest on calls that have ended but whose rows are still on their way: write them, then ask once more. */
async function askTwice(request: HoldRequest, kit: Kit): Promise<HoldOutcome> {
  const outcome = await kit.wallet.openHold(request);
  if ('granted' in outcome || kit.journal.pending === 0 || kit.journal.failingMs > 0) return outcome;
  await kit.journal.flush();
  return kit.wallet.openHold(request);
}
