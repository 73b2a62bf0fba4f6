import type { Budget, Token } from '../../api/console-api.js';
import { Card } from '../../components/card.js';
import { Facts } from '../../components/facts.js';
import { useCount } from '../../components/use-count.js';
import { useMessages } from '../../messages/use-messages.js';
import { BudgetBars } from '../limits/budget-bars.js';
import { LIMIT_NAMES } from '../limits/limits-schema.js';

interface LimitsCardProps {
  readonly limits: Token['limits'];
  /** Models and channels have none. */
  readonly budgets?: readonly Budget[];
}

/** What limits a row, and how far its budgets are spent. */
export function LimitsCard({ limits, budgets }: LimitsCardProps) {
  const { limits: messages } = useMessages();
  const count = useCount();
  const isLimited = LIMIT_NAMES.some((name) => limits[name] !== undefined);
  return (
    <Card title={messages.limits}>
      <div className="flex flex-col gap-4">
        {isLimited ? (
          <Facts
            facts={LIMIT_NAMES.map((name) => {
              const limit = limits[name];
              return [messages.names[name], limit === undefined ? null : count(limit)] as const;
            })}
          />
        ) : (
          <p className="text-muted">{messages.none}</p>
        )}
        {budgets && <BudgetBars budgets={budgets} />}
      </div>
    </Card>
  );
}
