import type { Token } from '../../api/console-api.js';

export const LIMIT_NAMES = ['rpm', 'rpd', 'tpm', 'concurrency'] as const;
export const BUDGET_NAMES = ['day', 'week', 'month', 'timezone'] as const;
export type LimitName = (typeof LIMIT_NAMES)[number];
export type BudgetName = (typeof BUDGET_NAMES)[number];

/** Limits and budgets as they are written in a form; what is empty is not limited. */
export interface LimitsDraft {
  readonly limits: Readonly<Record<LimitName, string>>;
  readonly budgets: Readonly<Record<BudgetName, string>>;
}

/** @param row a key, wallet or user, or a model or channel, which have no budgets; `undefined` for a new one. */
export function toLimitsDraft(
  row: (Pick<Token, 'limits'> & Partial<Pick<Token, 'budgets'>>) | undefined,
): LimitsDraft {
  const limits = LIMIT_NAMES.map((name) => [name, String(row?.limits[name] ?? '')]);
  const budgets = BUDGET_NAMES.map((name) => [name, row?.budgets?.[name] ?? '']);
  return {
    limits: Object.fromEntries(limits) as LimitsDraft['limits'],
    budgets: Object.fromEntries(budgets) as LimitsDraft['budgets'],
  };
}

/** What is no number is sent as NaN, which JSON has as null: the Console API says what is wrong with it. */
export function toLimitsBody({ limits, budgets }: LimitsDraft): Pick<Token, 'limits' | 'budgets'> {
  return {
    limits: Object.fromEntries(keepFilled(limits).map(([name, text]) => [name, Number(text)])),
    budgets: Object.fromEntries(keepFilled(budgets)),
  };
}

function keepFilled(fields: Readonly<Record<string, string>>): [string, string][] {
  return Object.entries(fields)
    .map(([name, text]): [string, string] => [name, text.trim()])
    .filter(([, text]) => text !== '');
}
