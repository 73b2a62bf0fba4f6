import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { apiQuery } from '../../api/api-query.js';
import type { LoggedCall } from '../../api/console-api.js';
import { Card } from '../../components/card.js';
import { Cut } from '../../components/cut.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Moment } from '../../components/moment.js';
import { moneyColumn } from '../../components/money-column.js';
import { Skeleton } from '../../components/skeleton.js';
import { type Column, Table } from '../../components/table.js';
import { useCount } from '../../components/use-count.js';
import { useMessages } from '../../messages/use-messages.js';
import { CalledAt, useModelColumn } from '../logs/called-model.js';
import { type LogSearch, toLogQuery } from '../logs/log-search.js';
import { StatusBadge } from '../logs/status-badge.js';

const SHOWN = 10;
const REFRESH_MS = 10_000;

interface CallsCardProps {
  readonly title: string;
  readonly search: LogSearch;
  /** Whether they are of keys that the title does not name. */
  readonly hasKeys?: boolean;
}

/** The newest calls that a filter leaves, and the way to all of them. */
export function CallsCard({ title, search, hasKeys = false }: CallsCardProps) {
  const { detail: messages, logs } = useMessages();
  const navigate = useNavigate();
  const count = useCount();
  const modelColumn = useModelColumn();
  const calls = useQuery({
    ...apiQuery('/api/v1/logs', { query: { ...toLogQuery(search), limit: SHOWN } }),
    refetchInterval: REFRESH_MS,
  });
  const rows = calls.data?.data ?? [];
  const keyColumn: Column<LoggedCall> = {
    header: logs.token_id,
    meta: { hideOnPhones: true },
    cell: ({ row: { original: call } }) => <Cut text={call.token_name ?? '–'} isWide />,
  };
  return (
    <Card title={title}>
      {calls.isPending && <Skeleton />}
      {calls.error && <ErrorNotice error={calls.error} />}
      {calls.data && rows.length === 0 && <p className="text-muted">{messages.noCalls}</p>}
      {rows.length > 0 && (
        <Table
          caption={title}
          rows={rows}
          keyOf={(call) => call.request_id}
          nameOf={(call) => logs.open(call.model || logs.noModel)}
          onOpen={(call) => void navigate({ to: '/logs', search: { ...search, call: call.request_id } })}
          below={(call) => <CalledAt call={call} />}
          columns={[
            modelColumn,
            ...(hasKeys ? [keyColumn] : []),
            {
              header: logs.status,
              cell: ({ row: { original: call } }) => <StatusBadge call={call} isShort />,
            },
            {
              header: logs.latency,
              meta: { isNumber: true, hideOnSmallScreens: true },
              cell: ({ row: { original: call } }) => `${count(call.latency_ms)} ms`,
            },
            moneyColumn(rows, { header: logs.cost, usd: (call) => call.cost }),
            {
              header: logs.when,
              meta: { isNumber: true, hideOnPhones: true },
              cell: ({ row: { original: call } }) => <Moment at={call.created_at} />,
            },
          ]}
        />
      )}
      {rows.length > 0 && (
        <Link
          to="/logs"
          search={search}
          className="text-accent touch:mt-0 touch:-mb-3 touch:min-h-11 touch:content-center mt-3 inline-block font-medium"
        >
          {messages.allCalls}
        </Link>
      )}
    </Card>
  );
}
