import { BUDGET_PERIODS } from '@mg/contract';
import { z } from 'zod';
import { pickQuerySchema } from '../http/page-query.js';

/** `near`: 80 per cent are spent; `reached`: all of it, or a call was refused for it. */
const BUDGET_STATES = ['ok', 'near', 'reached'] as const;

export const budgetSchema = z
  .object({
    subject_id: z.uuid().describe('The key, wallet or user whose it is.'),
    period: z.enum(BUDGET_PERIODS),
    amount: z.string().describe('USD.'),
    spent: z.string().describe('USD charged in the current period.'),
    state: z
      .enum(BUDGET_STATES)
      .describe('near: 80 % are spent; reached: all of it is, or a call was refused for it.'),
    timezone: z.string(),
    starts_at: z.iso.datetime(),
    ends_at: z.iso.datetime().describe('From then on nothing is spent of it.'),
  })
  .meta({ id: 'Budget' });

export const budgetsAnswerSchema = z.object({ data: z.array(budgetSchema) });

export const budgetsQuerySchema = z.strictObject({ ids: pickQuerySchema.shape.ids.unwrap() });

export type BudgetsQuery = z.output<typeof budgetsQuerySchema>;
