import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { apiQuery } from '../../api/api-query.js';
import type { Alert } from '../../api/console-api.js';
import { useRows } from '../../api/use-rows.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { ChoiceFilter } from '../../components/choice-filter.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { FilterBar } from '../../components/filter-bar.js';
import { Moment } from '../../components/moment.js';
import { PageHeader } from '../../components/page-header.js';
import { RowList } from '../../components/row-list.js';
import { Skeleton } from '../../components/skeleton.js';
import type { Column } from '../../components/table.js';
import { useMessages } from '../../messages/use-messages.js';
import { AlertDrawer } from './alert-drawer.js';
import { type AlertSearch, readAlertSearch } from './alert-search.js';
import { AlertSettingsForm } from './alert-settings-form.js';
import { AlertState } from './alert-state.js';
import { DestinationsCard } from './destinations-card.js';
import { RulesCard } from './rules-card.js';

const REFRESH_MS = 15_000;

/** What operators are alerted of and where to, and the alerts that were and are. */
export function AlertsView() {
  const { alerts: messages } = useMessages();
  const settings = useQuery(apiQuery('/api/v1/alerts/settings'));
  const [isChanging, setChanging] = useState(false);
  return (
    <>
      <PageHeader title={messages.title} text={messages.text}>
        <Button kind="primary" disabled={!settings.data} onClick={() => setChanging(true)}>
          {messages.change}
        </Button>
      </PageHeader>
      <div className="flex flex-col gap-4">
        {settings.isPending && <Skeleton lines={6} />}
        {settings.error && <ErrorNotice error={settings.error} onRetry={() => void settings.refetch()} />}
        {settings.data && (
          <div className="grid gap-4 lg:grid-cols-2">
            <DestinationsCard settings={settings.data} />
            <RulesCard rules={settings.data.rules} />
          </div>
        )}
        {/* It would be pushed aside by what stands above it. */}
        {!settings.isPending && <AlertList />}
      </div>
      {isChanging && settings.data && (
        <AlertSettingsForm settings={settings.data} onClose={() => setChanging(false)} />
      )}
    </>
  );
}

function AlertList() {
  const { alerts: messages } = useMessages();
  const filters = useSearch({ from: '/signed-in/administration/alerts' });
  const navigate = useNavigate({ from: '/alerts' });
  const alerts = useRows('/api/v1/alerts', { query: filters }, { refreshMs: REFRESH_MS });
  const [opened, setOpened] = useState<Alert>();
  const change = (part: AlertSearch) =>
    void navigate({
      search: (search) => readAlertSearch({ ...search, ...part }),
      replace: true,
      resetScroll: false,
    });
  return (
    <Card>
      <FilterBar filters={filters} onClear={() => void navigate({ search: {}, replace: true })}>
        <ChoiceFilter
          label={messages.state}
          value={filters.state}
          choices={Object.entries(messages.states)}
          onFilter={(state) => change({ state })}
        />
        <ChoiceFilter
          label={messages.kind}
          value={filters.kind}
          choices={Object.entries(messages.kinds)}
          onFilter={(kind) => change({ kind })}
        />
      </FilterBar>
      <RowList
        caption={messages.title}
        pages={alerts}
        columns={useAlertColumns()}
        keyOf={(alert) => alert.id}
        nameOf={(alert) => messages.open(messages.kinds[alert.kind], messages.describe(alert))}
        onOpen={setOpened}
        below={(alert) => (
          <>
            {/* On a phone, where the message takes the whole width. */}
            <span className="text-muted mt-1 flex flex-wrap items-center gap-x-2 text-xs @sm:hidden">
              <AlertState alert={alert} />
              <Moment at={alert.fired_at} />
            </span>
            <span className="text-muted block text-xs wrap-anywhere @max-sm:mt-1">
              {messages.describe(alert)}
            </span>
          </>
        )}
        empty={<EmptyState title={messages.emptyTitle} text={messages.emptyText} filters={filters} />}
      />
      {opened && <AlertDrawer alert={opened} onClose={() => setOpened(undefined)} />}
    </Card>
  );
}

function useAlertColumns(): readonly Column<Alert>[] {
  const { alerts: messages } = useMessages();
  return [
    {
      header: messages.kind,
      cell: ({ row: { original: alert } }) => messages.kinds[alert.kind],
    },
    {
      header: messages.state,
      meta: { hideOnPhones: true },
      cell: ({ row: { original: alert } }) => <AlertState alert={alert} />,
    },
    {
      header: messages.firedAt,
      meta: { isNumber: true, hideOnPhones: true },
      cell: ({ row: { original: alert } }) => <Moment at={alert.fired_at} />,
    },
    {
      header: messages.resolvedAt,
      meta: { isNumber: true, hideOnPhones: true },
      cell: ({ row: { original: alert } }) => (alert.resolved_at ? <Moment at={alert.resolved_at} /> : '–'),
    },
  ];
}
