import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client.js';
import type { LoggedCall } from '../../api/console-api.js';
import { useIsAdministrator } from '../../api/use-me.js';
import { useRows } from '../../api/use-rows.js';
import { Badge } from '../../components/badge.js';
import { Button, LINK_BUTTON } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { useColumnChoice } from '../../components/column-choice.js';
import { Cut } from '../../components/cut.js';
import { EmptyState } from '../../components/empty-state.js';
import { ExportButton } from '../../components/export-button.js';
import { Moment } from '../../components/moment.js';
import { moneyColumn } from '../../components/money-column.js';
import { PageHeader } from '../../components/page-header.js';
import { RowList } from '../../components/row-list.js';
import type { Column } from '../../components/table.js';
import { useCount } from '../../components/use-count.js';
import { useMessages } from '../../messages/use-messages.js';
import { CallDrawer } from './call-drawer.js';
import { CalledAt, useModelColumn } from './called-model.js';
import { LogFilters } from './log-filters.js';
import { type LogSearch, toLogQuery } from './log-search.js';
import { StatusBadge } from './status-badge.js';

const REFRESH_MS = 5_000;

export function LogsView() {
  const { logs: messages } = useMessages();
  const { call, ...filters } = useSearch({ from: '/signed-in/logs' });
  const navigate = useNavigate({ from: '/logs' });
  const [isPaused, setPaused] = useState(false);
  // A list that is sorted is read, not followed.
  const isStill = isPaused || call !== undefined || filters.sort !== undefined;
  const calls = useRows(
    '/api/v1/logs',
    { query: toLogQuery(filters) },
    isStill ? {} : { refreshMs: REFRESH_MS },
  );
  const columns = useCallColumns(calls.rows);
  const { chosen, menu } = useColumnChoice('logs', columns);
  const isFollowing = !isPaused && filters.sort === undefined && (calls.isLive || call !== undefined);
  const follow = () => {
    setPaused(isFollowing);
    if (!isFollowing) calls.restart();
  };
  const open = (id: string | undefined) =>
    navigate({ search: id === undefined ? filters : { ...filters, call: id }, resetScroll: false });
  return (
    <>
      <PageHeader title={messages.title} text={messages.text}>
        <Button aria-pressed={isFollowing} disabled={filters.sort !== undefined} onClick={follow}>
          <span className={`size-2 rounded-full ${isFollowing && !calls.error ? 'bg-good' : 'bg-edge'}`} />
          {messages.live}
        </Button>
        {menu}
        <ExportButton name="logs.csv" load={() => loadFile(filters)} />
      </PageHeader>
      <Card>
        <LogFilters filters={filters} />
        {filters.sort !== undefined && <p className="text-muted mb-2 text-xs">{messages.sorted}</p>}
        <RowList
          caption={messages.title}
          pages={calls}
          columns={columns}
          chosen={chosen}
          keyOf={(row) => row.request_id}
          nameOf={(row) => messages.open(row.model || messages.noModel)}
          onOpen={(row) => void open(row.request_id)}
          below={(row) => <CalledAt call={row} hasOrigin={chosen === undefined} />}
          empty={
            <EmptyState title={messages.emptyTitle} text={messages.emptyText} filters={filters}>
              <Link to="/playground" className={LINK_BUTTON}>
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

/** The calls that the filters leave. */
function loadFile(filters: LogSearch): Promise<Blob> {
  const { sort: _order, ...query } = toLogQuery(filters);
  return api.getFile('/api/v1/logs.csv', { query });
}

function hasFailedOver({ attempts }: LoggedCall): boolean {
  return attempts.filter(({ outcome }) => outcome !== 'skipped').length > 1;
}

/** A dash for what is not counted in tokens, such as a video. */
function showTokens({ usage }: LoggedCall, count: (tokens: number) => string): string {
  const { input_tokens: input, output_tokens: output } = usage;
  return input + output === 0 ? '–' : `${count(input)} / ${count(output)}`;
}

function useCallColumns(calls: readonly LoggedCall[]): readonly Column<LoggedCall>[] {
  const { logs: messages } = useMessages();
  const isAdministrator = useIsAdministrator();
  const count = useCount();
  const ofAdministrators: readonly Column<LoggedCall>[] = [
    {
      id: 'channel',
      header: messages.channel,
      meta: { hideOnSmallScreens: true },
      cell: ({ row: { original: call } }) => (
        <span className="flex items-center gap-1">
          <Cut text={call.channel || '–'} />
          {hasFailedOver(call) && <Badge tone="warn">{messages.failedOver}</Badge>}
        </span>
      ),
    },
  ];
  return [
    useModelColumn(),
    {
      id: 'endpoint',
      header: messages.endpoint,
      meta: { isExtra: true },
      cell: ({ row: { original: call } }) => <Cut text={call.endpoint} isCode />,
    },
    {
      id: 'status',
      header: messages.status,
      cell: ({ row: { original: call } }) => <StatusBadge call={call} isShort />,
    },
    {
      id: 'key',
      header: messages.token_id,
      meta: { hideOnSmallScreens: true },
      cell: ({ row: { original: call } }) => <Cut text={call.token_name} />,
    },
    ...(isAdministrator ? ofAdministrators : []),
    {
      id: 'tokens',
      header: messages.tokens,
      meta: { isNumber: true, isExtra: true },
      cell: ({ row: { original: call } }) => showTokens(call, count),
    },
    {
      id: 'latency',
      header: messages.latency,
      meta: { isNumber: true, hideOnPhones: true },
      cell: ({ row: { original: call } }) => `${count(call.latency_ms)} ms`,
    },
    {
      id: 'ttft',
      header: messages.ttft,
      meta: { isNumber: true, isExtra: true },
      cell: ({ row: { original: call } }) => (call.ttft_ms === null ? '–' : `${count(call.ttft_ms)} ms`),
    },
    moneyColumn(calls, { id: 'cost', header: messages.cost, usd: (call) => call.cost }),
    {
      id: 'when',
      header: messages.when,
      meta: { isNumber: true, hideOnPhones: true },
      cell: ({ row: { original: call } }) => <Moment at={call.created_at} />,
    },
  ];
}
