import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { LoggedCall } from '../../api/console-api.js';
import { useRows } from '../../api/use-rows.js';
import { Card } from '../../components/card.js';
import { EmptyState } from '../../components/empty-state.js';
import { Moment } from '../../components/moment.js';
import { Money } from '../../components/money.js';
import { PageHeader } from '../../components/page-header.js';
import { RowList } from '../../components/row-list.js';
import type { Column } from '../../components/table.js';
import { useMessages } from '../../messages/use-messages.js';
import { CallDrawer } from './call-drawer.js';
import { ExportButton } from './export-button.js';
import { LogFilters } from './log-filters.js';
import { toLogQuery } from './log-search.js';
import { StatusBadge } from './status-badge.js';

const REFRESH_MS = 5_000;

export function LogsView() {
  const { logs: messages } = useMessages();
  const { call, ...filters } = useSearch({ from: '/signed-in/logs' });
  const navigate = useNavigate({ from: '/logs' });
  const calls = useRows('/api/v1/logs', { query: toLogQuery(filters) }, { refreshMs: REFRESH_MS });
  const open = (id: string | undefined) =>
    navigate({ search: id === undefined ? filters : { ...filters, call: id }, resetScroll: false });
  return (
    <>
      <PageHeader title={messages.title} text={messages.text}>
        <ExportButton filters={filters} />
      </PageHeader>
      <Card>
        <LogFilters filters={filters} />
        <RowList
          caption={messages.title}
          pages={calls}
          columns={useCallColumns()}
          keyOf={(row) => row.request_id}
          nameOf={(row) => messages.open(row.model)}
          onOpen={(row) => void open(row.request_id)}
          empty={
            <EmptyState title={messages.emptyTitle} text={messages.emptyText}>
              <Link to="/playground" className="text-accent font-medium underline underline-offset-4">
                {messages.emptyAction}
              </Link>
            </EmptyState>
          }
        />
      </Card>
      {call !== undefined && <CallDrawer requestId={call} onClose={() => void open(undefined)} />}
    </>
  );
}

function useCallColumns(): readonly Column<LoggedCall>[] {
  const { logs: messages } = useMessages();
  return [
    { title: messages.model, cell: (call) => <Called call={call} /> },
    { title: messages.status, cell: (call) => <StatusBadge call={call} /> },
    { title: messages.key, hideOnSmallScreens: true, cell: (call) => call.token_name },
    { title: messages.channel, hideOnSmallScreens: true, cell: (call) => call.channel },
    {
      title: messages.tokens,
      isNumber: true,
      hideOnSmallScreens: true,
      cell: ({ usage }) => `${usage.input_tokens} / ${usage.output_tokens}`,
    },
    {
      title: messages.latency,
      isNumber: true,
      hideOnSmallScreens: true,
      cell: (call) => `${call.latency_ms} ms`,
    },
    { title: messages.cost, isNumber: true, cell: (call) => <Money usd={call.cost} /> },
    { title: messages.when, isNumber: true, cell: (call) => <Moment at={call.created_at} /> },
  ];
}

/** What was called: the model, and where there is room the endpoint. */
function Called({ call }: { readonly call: LoggedCall }) {
  return (
    <>
      {call.model}
      <code className="text-muted block font-mono text-xs break-all max-lg:hidden">{call.endpoint}</code>
    </>
  );
}
