import type { AlertSettings } from '../../api/console-api.js';
import { Card } from '../../components/card.js';
import { Facts } from '../../components/facts.js';
import { useCount } from '../../components/use-count.js';
import { useMessages } from '../../messages/use-messages.js';
import { showUsd } from '../../money/usd.js';
import { ALERT_KINDS, type AlertKind } from './settings-schema.js';

/** What operators are alerted of. */
export function RulesCard({ rules }: Pick<AlertSettings, 'rules'>) {
  const { alerts: messages, states } = useMessages();
  const count = useCount();
  const figures: Partial<Record<AlertKind, string>> = {
    channel_failing: messages.figures.channel_failing(count(rules.channel_failing.failed)),
    wallet_balance: messages.figures.wallet_balance(showUsd(rules.wallet_balance.below)),
    budget: messages.figures.budget,
    queue_age: messages.figures.queue_age(count(rules.queue_age.seconds)),
  };
  return (
    <Card title={messages.rules}>
      <Facts
        facts={ALERT_KINDS.map((kind) => [
          messages.kinds[kind],
          rules[kind].enabled ? (
            (figures[kind] ?? states.enabled)
          ) : (
            <span className="text-muted">{states.disabled}</span>
          ),
        ])}
      />
    </Card>
  );
}
