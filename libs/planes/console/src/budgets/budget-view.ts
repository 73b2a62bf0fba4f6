import { formatUsd } from '@mg/contract';
import type { BudgetRow } from '@mg/persistence/console';
import type { z } from 'zod';
import type { budgetSchema } from './budget-schemas.js';

export type BudgetView = z.output<typeof budgetSchema>;

const NEAR = 80;
const REACHED = 100;

export function toBudgetView(budget: BudgetRow): BudgetView {
  const { period, reached, timezone } = budget;
  return {
    subject_id: budget.subjectId,
    period,
    amount: formatUsd(budget.amount),
    spent: formatUsd(budget.spent),
    state: reached >= REACHED ? 'reached' : reached >= NEAR ? 'near' : 'ok',
    timezone,
    starts_at: budget.startsAt.toISOString(),
    ends_at: budget.endsAt.toISOString(),
  };
}
