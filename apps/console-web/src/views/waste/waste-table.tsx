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
          header: logs.channel,
          cell: ({
            row: {
              original: { channel },
            },
          }) =>
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
        {
          header: messages.reason,
          cell: ({
            row: {
              original: { reason },
            },
          }) => messages.reasons[reason],
        },
        {
          header: messages.calls,
          meta: { isNumber: true },
          cell: ({ row: { original: row } }) => count(row.calls),
        },
        {
          header: messages.attempts,
          meta: { isNumber: true, hideOnSmallScreens: true },
          cell: ({ row: { original: row } }) => count(row.attempts),
        },
        {
          header: messages.cost,
          meta: { isNumber: true },
          cell: ({ row: { original: row } }) => <Money usd={row.cost} />,
        },
        {
          header: messages.channelShare,
          meta: { isNumber: true, hideOnSmallScreens: true },
          cell: ({ row: { original: row } }) => <ShareOfSpend sum={row} />,
        },
      ]}
    />
  );
}
