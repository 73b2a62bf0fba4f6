import { z } from 'zod';
import { REFUSALS } from './refusals.js';

/** Periods of budgets, by the calendar; a week begins on Monday. */
export const BUDGET_PERIODS = ['day', 'week', 'month'] as const;
export type BudgetPeriod = (typeof BUDGET_PERIODS)[number];

/** Whose a budget is. */
export type BudgetSubject = 'token' | 'wallet' | 'user';

/** What may be spent in each period, as decimal USD; what is absent is not limited. */
export interface Budgets {
  readonly day?: string | undefined;
  readonly week?: string | undefined;
  readonly month?: string | undefined;
  /** Name of the IANA database whose calendar counts; UTC by default. */
  readonly timezone?: string | undefined;
}

/** Offsets such as +02:00 are no zones: Postgres reads their sign the other way round. */
const ZONE_NAME = /^[A-Za-z][A-Za-z0-9_+-]*(\/[A-Za-z0-9_+-]+)*$/;

const amountSchema = z.string().regex(/^\d{1,9}(\.\d{1,9})?$/, REFUSALS.no_amount);

export const budgetsSchema = z.strictObject({
  day: amountSchema.optional().describe('USD of one day.'),
  week: amountSchema.optional().describe('USD of one week, which begins on Monday.'),
  month: amountSchema.optional().describe('USD of one month.'),
  timezone: z
    .string()
    .refine(isTimeZone, REFUSALS.no_time_zone)
    .optional()
    .describe('Whose calendar counts; UTC by default.'),
});

function isTimeZone(name: string): boolean {
  if (!ZONE_NAME.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
