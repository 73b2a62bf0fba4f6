import type { UsageSum } from '../../api/console-api.js';
import { Card } from '../../components/card.js';
import { Money } from '../../components/money.js';
import { Table } from '../../components/table.js';
import { useCount } from '../../components/use-count.js';
import { useMessages } from '../../messages/use-messages.js';
import { parseUsd } from '../../money/usd.js';

const SHOWN = 8;

export function TopModels({ models }: { readonly models: readonly UsageSum[] }) {
  const { overview: messages, logs } = useMessages();
  const count = useCount();
  const bySpend = models.toSorted((left, right) => (parseUsd(left.cost) < parseUsd(right.cost) ? 1 : -1));
  return (
    <Card title={messages.topModels}>
      <Table
        caption={messages.topModels}
        rows={bySpend.slice(0, SHOWN)}
        keyOf={(sum) => sum.key}
        columns={[
          { title: logs.model, cell: (sum) => <span className="font-medium">{sum.label}</span> },
          { title: messages.calls, isNumber: true, cell: (sum) => count(sum.calls) },
          {
            title: messages.tokens,
            isNumber: true,
            hideOnSmallScreens: true,
            cell: (sum) => count(sum.input_tokens + sum.output_tokens),
          },
          {
            title: messages.failed,
            isNumber: true,
            hideOnSmallScreens: true,
            cell: (sum) => count(sum.errors),
          },
          { title: messages.spend, isNumber: true, cell: (sum) => <Money usd={sum.cost} /> },
        ]}
      />
    </Card>
  );
}
