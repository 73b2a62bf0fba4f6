import {
  applyVariant,
  type Catalog,
  chooseVariant,
  DEFAULT_TIMEOUTS,
  GatewayError,
  type HoldOutcome,
  type HoldRequest,
  LONGEST_HOLD_SECONDS,
  type Model,
  type NanoUsd,
  type PinnedPrice,
  type Price,
  priceAt,
} from '@mg/contract';
import { isPriced, outputTokensWithin, worstCaseOfCall, worstCaseOfUsage } from '@mg/pricing';
import type { Kit } from '../kit.js';
import type { Demand, Exchange } from '@mg/protocols';
import {
  boundCall,
  boundPrompt,
  type CallSize,
  leavesToolsOpen,
  listUnpriced,
  type Unpriced,
} from './bound-call.js';
import type { CallRecord } from './call-record.js';
import type { Hold } from './hold.js';
import { release } from './settle.js';

/** Assumed for a model whose longest answer nobody told us; sent along, so that it is true. */
const DEFAULT_MAX_OUTPUT_TOKENS = 16_384;
/** Share of a model's context that an answer may take unless more is known of it. */
const ANSWER_SHARE_OF_CONTEXT = 4;
/** A call without a cap of its own is worth starting when the funds cover at least this much answer. */
const SMALLEST_ANSWER_TOKENS = 64;
/** Uses of a tool that the provider runs, in one call whose caller set no limit. */
const USUAL_TOOL_USES = 5;
/** Beside the time of the call itself: for what comes before the first channel is asked, and for usage on its way to billing. */
const HOLD_MARGIN_SECONDS = 5 * 60;

/** Money set aside for a chat, and what it was set aside for: nothing else is sent, and nothing else is billed. */
export interface ChatHold extends Hold {
  /** Cap on each answer to send along, for callers who set none. */
  readonly cap: number | undefined;
  /** Limit to send along for tools that the caller left open. */
  readonly toolUses: number | undefined;
  readonly demand: Demand;
  /** Most tokens of the prompt as it is sent. */
  readonly promptTokens: number;
  /** What of the request must not be sent. */
  readonly unpriced: readonly Unpriced[];
}

/**
 * Has billing hold the worst case of a chat, fails closed. A caller without limits of their own gets what the funds cover.
 *
 * @throws GatewayError `model_not_priced`, `insufficient_balance`, `quota_exceeded` or `service_unavailable`.
 */
export async function reserve(call: CallRecord, model: Model, size: CallSize, kit: Kit): Promise<ChatHold> {
  const pinned = pinPrice(call, model);
  const { price } = pinned;
  refuseUnpriced(model, price);
  const { demand, maxTokens } = size;
  const isOpen = leavesToolsOpen(demand);
  const answer = maxTokens ?? findLongestAnswer(model, size);
  const smallest = maxTokens ?? Math.min(SMALLEST_ANSWER_TOKENS, answer);
  const worst = (uses: number, tokens: number) =>
    worstCaseOfCall(boundCall(size, price, uses, tokens), price);
  const wanted = worst(USUAL_TOOL_USES, answer);
  const minimum = worst(isOpen ? 1 : USUAL_TOOL_USES, smallest);
  const granted = await hold(call, model, pinned, { wanted, minimum }, kit).catch((error: unknown) => {
    throw explainRefusal(error, model, size);
  });
  const toolUses = isOpen ? findCoveredUses((uses) => worst(uses, smallest) <= granted) : USUAL_TOOL_USES;
  const covered = granted < wanted ? capWithin(granted, size, price, toolUses) : undefined;
  return {
    requestId: call.requestId,
    granted,
    price: pinned,
    cap: maxTokens === undefined ? Math.min(answer, covered ?? answer) : undefined,
    toolUses: isOpen ? toolUses : undefined,
    demand,
    promptTokens: boundPrompt(size),
    unpriced: listUnpriced(demand, price),
  };
}

/** As many uses of tools as the funds cover, at least one. */
function findCoveredUses(isCovered: (uses: number) => boolean): number {
  let uses = USUAL_TOOL_USES;
  while (uses > 1 && !isCovered(uses)) uses--;
  return uses;
}

/**
 * The longest answer to a caller who set no cap. What prompt and answer may have together is less for long prompts: two
 * bytes of a text are seldom more than a token.
 */
function findLongestAnswer({ maxOutputTokens }: Model, size: CallSize): number {
  const { contextWindow, windowKnown } = size;
  if (!windowKnown) return maxOutputTokens ?? DEFAULT_MAX_OUTPUT_TOKENS;
  const usual = Math.min(DEFAULT_MAX_OUTPUT_TOKENS, Math.ceil(contextWindow / ANSWER_SHARE_OF_CONTEXT));
  return Math.min(maxOutputTokens ?? usual, contextWindow - Math.floor(boundPrompt(size) / 2));
}

/** A caller without funds for a whole context learns what needs one; the operator, that the model's own is not known. */
function explainRefusal(
  error: unknown,
  model: Model,
  { demand, contextWindow, windowKnown }: CallSize,
): unknown {
  const cause = demand.beyond ?? demand.tools[0]?.param;
  if (!(error instanceof GatewayError) || error.code !== 'insufficient_balance' || cause === undefined)
    return error;
  const window = `${contextWindow} tokens${windowKnown ? '' : `, since the model "${model.slug}" has no context_window`}`;
  return new GatewayError(error.code, `${error.message} ${cause} may fill the model's context: ${window}.`, {
    param: cause,
  });
}

/** Money set aside for a call whose usage has a bound of its own. */
export interface BoundHold extends Hold {
  /** The price variant that the call is billed by, unless its upstream chose another and tells it. */
  readonly variant: string | undefined;
}

/**
 * Has billing hold what a call of bounded usage can cost at most, fails closed: at the dearest of the price variants that
 * the upstream may choose.
 * @throws GatewayError `model_not_priced`, `insufficient_balance`, `quota_exceeded` or `service_unavailable`.
 */
export async function reserveUsage(
  call: CallRecord,
  model: Model,
  { bound, priceVariants, openVariant }: Pick<Exchange, 'bound' | 'priceVariants' | 'openVariant'>,
  kit: Kit,
): Promise<BoundHold> {
  const pinned = pinPrice(call, model);
  const { price } = pinned;
  const costOf = (variant: string | undefined) =>
    worstCaseOfUsage(variant === undefined ? bound : { ...bound, variant }, price);
  const usual = chooseVariant(price, priceVariants);
  const others = [...(price.variants?.keys() ?? [])].filter((name) => openVariant?.mayBe(name));
  const dearest = others.reduce((most, name) => (costOf(name) > costOf(most) ? name : most), usual);
  const variant = openVariant?.isAsked ? dearest : usual;
  refuseUnpriced(model, applyVariant(price, variant));
  const wanted = costOf(dearest);
  const granted = await hold(call, model, pinned, { wanted, minimum: wanted }, kit);
  return { requestId: call.requestId, granted, price: pinned, variant };
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
      ttlSeconds: findHoldSeconds(model, kit.catalog()),
      owner: kit.owner,
    },
    kit,
  );
  if ('refused' in outcome) throw new GatewayError(outcome.refused, outcome.message);
  return outcome.granted;
}

/** A hold outlives the longest call that a channel of the model allows: what is held for a running call is not lent to another. */
function findHoldSeconds({ slug }: Model, { channelsBySlug }: Catalog): number {
  const totals = (channelsBySlug.get(slug) ?? []).map(({ timeouts }) => timeouts.totalMs);
  const longestMs = Math.max(DEFAULT_TIMEOUTS.totalMs, ...totals);
  return Math.min(Math.ceil(longestMs / 1_000) + HOLD_MARGIN_SECONDS, LONGEST_HOLD_SECONDS);
}

function capWithin(granted: NanoUsd, size: CallSize, price: Price, toolUses: number): number | undefined {
  const { demand, choices } = size;
  const tokens = outputTokensWithin(granted, boundCall(size, price, toolUses, 0), price);
  if (tokens === undefined) return undefined;
  return Math.max(1, Math.floor((tokens - demand.extraOutputTokens) / (choices + demand.compactions)));
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
