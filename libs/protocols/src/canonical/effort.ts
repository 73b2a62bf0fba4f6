import type { ReasoningEffort, ReasoningRequest } from './request.js';

/** Thinking tokens that stand for an effort where a protocol knows only budgets. */
const BUDGETS: Readonly<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 512,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
  xhigh: 32_768,
  max: 32_768,
};
const LOW_BELOW = 4_096;
const MEDIUM_BELOW = 16_000;

/** The effort that was asked for, or the one that comes closest to the budget. */
export function readEffort(reasoning: ReasoningRequest): ReasoningEffort | undefined {
  if (reasoning.effort !== undefined || reasoning.budgetTokens === undefined) return reasoning.effort;
  if (reasoning.budgetTokens <= 0) return 'none';
  if (reasoning.budgetTokens < LOW_BELOW) return 'low';
  return reasoning.budgetTokens < MEDIUM_BELOW ? 'medium' : 'high';
}

/** The budget that was asked for, in tokens, or the one that stands for the effort. */
export function readBudget(reasoning: ReasoningRequest): number | undefined {
  if (reasoning.budgetTokens !== undefined) return reasoning.budgetTokens;
  return reasoning.effort === undefined ? undefined : BUDGETS[reasoning.effort];
}
