import type { Budget } from '../../api/console-api.js';
import { Badge } from '../../components/badge.js';
import { Moment } from '../../components/moment.js';
import { useMessages } from '../../messages/use-messages.js';
import { showUsd } from '../../money/usd.js';
import { UsedBar } from './used-bar.js';

/** What is spent of each budget, and when it begins anew. */
export function BudgetBars({ budgets }: { readonly budgets: readonly Budget[] }) {
  const { limits: messages, states } = useMessages();
  if (budgets.length === 0) return null;
  return (
    <ul className="flex flex-col gap-3">
      {budgets.map((budget) => (
        <li key={budget.period} className="flex flex-col gap-1">
          <div className="flex flex-wrap items-center justify-between gap-2 text-xs">
            <span>
              {messages.inZone(messages.periods[budget.period], budget.timezone)}
              <span className="tabular-nums">
                {showUsd(budget.spent)} / {showUsd(budget.amount)}
              </span>
            </span>
            <span className="text-muted inline-flex items-center gap-2">
              {budget.state === 'reached' && <Badge tone="bad">{states.budgetReached}</Badge>}
              <span>
                {messages.renewed}
                <Moment at={budget.ends_at} />
              </span>
            </span>
          </div>
          <UsedBar
            label={messages.periods[budget.period]}
            used={budget.spent}
            amount={budget.amount}
            isReached={budget.state === 'reached'}
          />
        </li>
      ))}
    </ul>
  );
}
