import { BudgetBars } from './budget-bars.js';
import { useBudgets } from './use-budgets.js';

/** What is spent of the budgets of a key, wallet or user. */
export function SubjectBudgets({ id }: { readonly id: string }) {
  return <BudgetBars budgets={useBudgets([id]).of(id)} />;
}
