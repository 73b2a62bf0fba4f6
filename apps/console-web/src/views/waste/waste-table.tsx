import { Link } from '@tanstack/react-router';
import type { WasteSum } from '../../api/console-api.js';
import { Money } from '../../components/money.js';
import { Table } from '../../components/table.js';
import { useCount } from '../../components/use-count.js';
import { useMessages } from '../../messages/use-messages.js';
import { ShareOfSpend } from './share-of-spend.js';
import { beginOfDays, type WasteDays } from './waste-period.js';

interface WasteTableProps {
  readonly rows: readonly WasteSum[];
  readonly days: WasteDays;
}

/** Waste by channel and reason, most expensive first; a channel leads to its calls in the logs. */
export function WasteTable({ rows, days }: WasteTableProps) {
  const { waste: messages, logs } = useMessages();
  const from = beginOfDays(days, Date.now()).slice(0, 'YYYY-MM-DD'.length);
  const count = useCount();
  return (
    <Table
      caption={messages.byChannel}
      rows={rows}
      keyOf={(row) => `${row.channel} ${row.reason}`}
      columns={[
        {
          title: logs.channel,
          cell: ({ channel }) =>
            channel === '' ? (
              <span className="text-muted">{messages.unknownChannel}</span>
            ) : (
              <Link
                to="/logs"
                search={{ channel, from }}
                className="text-accent touch:inline-flex touch:min-h-11 touch:min-w-11 touch:items-center font-medium underline underline-offset-4"
              >
                {channel}
              </Link>
            ),
        },
        { title: messages.reason, cell: ({ reason }) => messages.reasons[reason] },
        { title: messages.calls, isNumber: true, cell: (row) => count(row.calls) },
        {
          title: messages.attempts,
          isNumber: true,
          hideOnSmallScreens: true,
          cell: (row) => count(row.attempts),
        },
        { title: messages.cost, isNumber: true, cell: (row) => <Money usd={row.cost} /> },
        {
          title: messages.channelShare,
          isNumber: true,
          hideOnSmallScreens: true,
          cell: (row) => <ShareOfSpend sum={row} />,
        },
      ]}
    />
  );
}
