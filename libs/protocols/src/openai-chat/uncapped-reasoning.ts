import type { JsonObject } from '../json.js';
import type { OpenAiChatTraits } from './traits.js';

/** The longest reasoning of any model whose cap of an answer does not count it. */
const MOST_TOKENS = 81_920;

/**
 * Tokens of reasoning that may be billed beside one answer, because `max_tokens` does not count them.
 *
 * @param request `thinking_budget`, `enable_thinking` and `reasoning_effort` limit them or switch them off.
 */
export function boundUncappedReasoning(request: JsonObject, traits: OpenAiChatTraits): number {
  const capped =
    traits.maxTokensExcludesReasoning !== true || traits.maxTokensField === 'max_completion_tokens';
  if (capped || request.enable_thinking === false || request.reasoning_effort === 'none') return 0;
  const { thinking_budget: budget } = request;
  return isTokenCount(budget) ? Math.min(budget, MOST_TOKENS) : MOST_TOKENS;
}

function isTokenCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0;
}
