import * as z from 'zod/mini';
import type { Token } from '../../api/console-api.js';
import { orNothing, timeZone, usd, wholeNumber } from '../../forms/texts.js';

export const LIMIT_NAMES = ['rpm', 'rpd', 'tpm', 'concurrency'] as const;
export const BUDGET_NAMES = ['day', 'week', 'month', 'timezone'] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];
export type BudgetName = (typeof BUDGET_NAMES)[number];

const MAX_COUNT = 2_147_483_647;
const MAX_TOKENS = 1_000_000_000_000;

const count = orNothing(wholeNumber(1, MAX_COUNT), undefined);
const amount = orNothing(usd, undefined);

/** Rates and concurrency as they are written in a form; what is empty is not limited. */
export const limitsSchema = z.object({
  rpm: count,
  rpd: count,
  tpm: orNothing(wholeNumber(1, MAX_TOKENS), undefined),
  concurrency: count,
});

/** The same of what may be spent in a day, a week and a month. */
export const budgetsSchema = z.object({
  day: amount,
  week: amount,
  month: amount,
  timezone: orNothing(timeZone, undefined),
});

/** @param row what is limited; `undefined` for a new one. */
export function toLimitTexts(row: Pick<Token, 'limits'> | undefined): z.input<typeof limitsSchema> {
  const texts = LIMIT_NAMES.map((name) => [name, String(row?.limits[name] ?? '')]);
  return Object.fromEntries(texts) as z.input<typeof limitsSchema>;
}

/** @param row a key, wallet or user; `undefined` for a new one. */
export function toBudgetTexts(row: Pick<Token, 'budgets'> | undefined): z.input<typeof budgetsSchema> {
  const texts = BUDGET_NAMES.map((name) => [name, row?.budgets[name] ?? '']);
  return Object.fromEntries(texts) as z.input<typeof budgetsSchema>;
}
