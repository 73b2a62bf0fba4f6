import { readBudget, readEffort } from '../canonical/effort.js';
import { nearestEffort } from '../canonical/nearest-effort.js';
import type { CanonicalRequest, ReasoningEffort } from '../canonical/request.js';
import type { JsonObject } from '../json.js';
import type { AnthropicMessagesContext } from './traits.js';

/** Length of an answer where neither the caller nor the model's card sets one. */
const DEFAULT_MAX_TOKENS = 8_192;
const MIN_BUDGET_TOKENS = 1_024;
/** Of a caller's own limit, thinking may take this share, so that an answer still fits. */
const BUDGET_SHARE = 0.8;
const EFFORTS: readonly ReasoningEffort[] = ['low', 'medium', 'high', 'xhigh', 'max'];

/** How thinking is asked for, and the limit that goes with it. */
export interface EncodedThinking {
  readonly maxTokens: number;
  /** Whether the model will think, so that other settings must give way. */
  readonly on: boolean;
  readonly thinking: JsonObject | undefined;
  readonly effort: ReasoningEffort | undefined;
}

/**
 * Asks for thinking as the model understands it: by effort where it decides by itself how long to think, else by a
 * budget of tokens.
 *
 * @param possible `false` where the model would refuse to think: a call is forced, or a loop of calls lost its reasoning.
 */
export function encodeThinking(
  request: CanonicalRequest,
  context: AnthropicMessagesContext,
  possible: boolean,
): EncodedThinking {
  const { traits } = context;
  const ceiling = traits.maxOutputTokens ?? Infinity;
  const maxTokens = Math.min(request.maxTokens ?? Math.min(DEFAULT_MAX_TOKENS, ceiling), ceiling);
  const off: EncodedThinking = { maxTokens, on: false, thinking: undefined, effort: undefined };
  const { reasoning } = request;
  const cannotThink = traits.efforts?.length === 0;
  if (!reasoning) return possible || !traits.thinksByDefault ? off : switchOff(off, context);
  const effort = readEffort(reasoning);
  if (effort === 'none') return cannotThink ? off : switchOff(off, context);
  if (!possible || cannotThink) {
    context.dropped.add('thinking');
    return traits.thinksByDefault ? switchOff(off, context) : off;
  }
  const display = reasoning.show === undefined ? {} : { display: reasoning.show ? 'summarized' : 'omitted' };
  if (traits.supportsAdaptiveThinking ?? reasoning.adaptive) {
    const known = traits.efforts ?? EFFORTS;
    return {
      ...off,
      on: true,
      thinking: { type: 'adaptive', ...display },
      effort: effort && nearestEffort(effort, known),
    };
  }
  const budget = fitBudget(readBudget(reasoning), request.maxTokens, ceiling);
  if (budget === undefined) {
    context.dropped.add('thinking');
    return off;
  }
  return {
    maxTokens: request.maxTokens === undefined ? Math.min(budget + DEFAULT_MAX_TOKENS, ceiling) : maxTokens,
    on: true,
    thinking: { type: 'enabled', budget_tokens: budget, ...display },
    effort: undefined,
  };
}

/** No thinking, or the least there is, as the model has it. */
function switchOff(off: EncodedThinking, { traits }: AnthropicMessagesContext): EncodedThinking {
  switch (traits.thinkingOff ?? 'disabled') {
    case 'lowest_effort':
      return { ...off, on: true, effort: 'low' };
    case 'omitted':
      return off;
    case 'between_tools':
      return { ...off, thinking: { type: 'between_tools' } };
    case 'disabled':
      return { ...off, thinking: { type: 'disabled' } };
  }
}

/** A budget within what the provider takes, or `undefined` where the caller's limit leaves no room for any. */
function fitBudget(
  wanted: number | undefined,
  maxTokens: number | undefined,
  ceiling: number,
): number | undefined {
  if (wanted === undefined || wanted < 0) return undefined;
  const limit = Math.min(maxTokens ?? Infinity, ceiling);
  const fits = wanted < limit ? wanted : Math.floor(limit * BUDGET_SHARE);
  const budget = Math.max(MIN_BUDGET_TOKENS, fits);
  return budget < limit ? budget : undefined;
}
