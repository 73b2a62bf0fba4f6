import { GatewayError, type Model, type NanoUsd, type Price } from '@mg/contract';
import { outputTokensWithin, worstCaseOfCall } from '@mg/pricing';
import type { Demand } from '@mg/protocols';
import type { CallRecord } from '../../call/call-record.js';
import type { Hold } from '../../call/hold.js';
import type { Bound, TokenBound } from '../../call/operation.js';
import { pinPrice, refuseUnpriced } from '../../call/pin-price.js';
import {
  boundCall,
  boundPrompt,
  type CallSize,
  countUncapped,
  leavesToolsOpen,
  listUnpriced,
  type Unpriced,
  USUAL_TOOL_USES,
} from './bound-tokens.js';

/** Default for a model without `max_output_tokens`; sent as the cap, so that it holds. */
const DEFAULT_MAX_OUTPUT_TOKENS = 16_384;
/** Share of a model's context that an answer may take unless more is known of it. */
const ANSWER_SHARE_OF_CONTEXT = 4;
/** A call without a cap of its own is worth starting when the funds cover at least this much answer. */
const SMALLEST_ANSWER_TOKENS = 64;
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
 * What a chat can cost: its worst case, and the least that it is begun with. A caller without limits of their own gets what
 * the funds cover.
 *
 * @throws GatewayError `model_not_priced`
 */
export function boundChat(size: CallSize, model: Model, record: CallRecord): Bound<ChatHold> {
  const pinned = pinPrice(record, model);
  const { price } = pinned;
  refuseUnpriced(model, price);
  const { demand, maxTokens } = size;
  const isOpen = leavesToolsOpen(demand);
  const answer = maxTokens ?? fitAnswer(findLongestAnswer(model, size), size, record.tokenLimit);
  const smallest = maxTokens ?? Math.min(SMALLEST_ANSWER_TOKENS, answer);
  const worst = (uses: number, tokens: number) =>
    worstCaseOfCall(boundCall(size, price, uses, tokens), price);
  const wanted = worst(USUAL_TOOL_USES, answer);
  const isFixed = !isOpen && smallest === answer;
  const minimum = isFixed ? wanted : worst(isOpen ? 1 : USUAL_TOOL_USES, smallest);
  return {
    price: pinned,
    wanted,
    minimum,
    tokens: countTokens(size, answer),
    toHold: (hold) => {
      const { granted } = hold;
      const toolUses = isOpen ? findCoveredUses((uses) => worst(uses, smallest) <= granted) : USUAL_TOOL_USES;
      const covered = granted < wanted ? capWithin(granted, size, price, toolUses) : undefined;
      return {
        ...hold,
        cap: maxTokens === undefined ? Math.min(answer, covered ?? answer) : undefined,
        toolUses: isOpen ? toolUses : undefined,
        demand,
        promptTokens: boundPrompt(size),
        unpriced: listUnpriced(demand, price),
      };
    },
    explainRefusal: (error) => explainRefusal(error, model, size),
  };
}

/** A text has seldom more than a token for four bytes, and may have one for each. */
const MOST_BYTES_OF_TOKEN = 4;

/**
 * Tokens of a chat for limits on them. What a tool that the provider runs puts into the prompt, and media of unknown
 * length, count once they are reported.
 */
function countTokens(size: CallSize, answer: number): TokenBound {
  const { demand, choices, maxTokens = 0 } = size;
  const prompt = boundPrompt({ ...size, demand: { ...demand, unboundedField: undefined } });
  return {
    least: Math.floor(demand.textBytes / MOST_BYTES_OF_TOKEN) + maxTokens * choices,
    most: prompt + answer * choices + countUncapped(size),
  };
}

/** An answer whose caller set no cap is no longer than what a limit on tokens leaves for it. */
function fitAnswer(answer: number, { demand, choices }: CallSize, tokenLimit: number | undefined): number {
  if (tokenLimit === undefined) return answer;
  const prompt = Math.floor(demand.textBytes / MOST_BYTES_OF_TOKEN);
  return Math.max(1, Math.min(answer, Math.floor((tokenLimit - prompt) / choices)));
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
  error: GatewayError,
  model: Model,
  { demand, contextWindow, windowKnown }: CallSize,
): GatewayError {
  const cause = demand.unboundedField ?? demand.tools[0]?.param;
  if (error.code !== 'insufficient_balance' || cause === undefined) return error;
  const window = `${contextWindow} tokens${windowKnown ? '' : `, since the model "${model.slug}" has no context_window`}`;
  return new GatewayError(error.code, `${error.message} ${cause} may fill the model's context: ${window}.`, {
    param: cause,
  });
}

function capWithin(granted: NanoUsd, size: CallSize, price: Price, toolUses: number): number | undefined {
  const { demand, choices } = size;
  const tokens = outputTokensWithin(granted, boundCall(size, price, toolUses, 0), price);
  if (tokens === undefined) return undefined;
  return Math.max(1, Math.floor((tokens - countUncapped(size)) / (choices + demand.compactions)));
}
