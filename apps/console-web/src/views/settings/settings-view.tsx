import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api/api-query.js';
import type { Settings } from '../../api/console-api.js';
import { Breakable } from '../../components/breakable.js';
import { Card } from '../../components/card.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Facts } from '../../components/facts.js';
import { PageHeader } from '../../components/page-header.js';
import { Skeleton } from '../../components/skeleton.js';
import { type Column, Table } from '../../components/table.js';
import { useMessages } from '../../messages/use-messages.js';

/** The environment that the console was started with; of secrets only that they are set. */
export function SettingsView() {
  const { settings: messages } = useMessages();
  const settings = useQuery(apiQuery('/api/v1/settings'));
  const columns = useSettingColumns();
  return (
    <>
      <PageHeader title={messages.title} text={messages.text} />
      {settings.isPending && <Skeleton lines={8} />}
      {settings.error && <ErrorNotice error={settings.error} onRetry={() => void settings.refetch()} />}
      {settings.data && (
        <div className="flex flex-col gap-4">
          <Card>
            <Facts
              facts={[
                [messages.version, settings.data.version],
                [messages.nodeVersion, settings.data.node_version],
              ]}
            />
          </Card>
          <Card>
            <Table
              caption={messages.title}
              rows={settings.data.settings}
              keyOf={(setting) => setting.name}
              columns={columns}
            />
          </Card>
        </div>
      )}
    </>
  );
}

function useSettingColumns(): readonly Column<Settings['settings'][number]>[] {
  const { settings: messages } = useMessages();
  return [
    {
      header: messages.name,
      cell: ({ row: { original: setting } }) => (
        <>
          <code className="wrap-anywhere font-mono text-xs lg:whitespace-nowrap">
            <Breakable text={setting.name} />
          </code>
          <span className="text-muted block text-xs @4xl:hidden">
            <Breakable text={messages.meaningOf(setting)} />
          </span>
        </>
      ),
    },
    {
      header: messages.value,
      cell: ({
        row: {
          original: { value, hidden },
        },
      }) =>
        value === null || hidden ? (
          <span className="text-muted">{value === null ? messages.unset : messages.set}</span>
        ) : (
          <code className="font-mono text-xs wrap-anywhere">
            <Breakable text={value} />
          </code>
        ),
    },
    {
      header: messages.default,
      meta: { hideOnSmallScreens: true },
      cell: ({ row }) => messages.defaultOf(row.original),
    },
    {
      header: messages.meaning,
      meta: { hideOnSmallScreens: true },
      cell: ({ row }) => messages.meaningOf(row.original),
    },
  ];
}
