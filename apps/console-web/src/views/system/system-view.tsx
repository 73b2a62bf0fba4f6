import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api/api-query.js';
import type { System } from '../../api/console-api.js';
import { Badge } from '../../components/badge.js';
import { Card } from '../../components/card.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Moment } from '../../components/moment.js';
import { PageHeader } from '../../components/page-header.js';
import { Skeleton } from '../../components/skeleton.js';
import { Table } from '../../components/table.js';
import { sayCode } from '../../messages/say-code.js';
import { useMessages } from '../../messages/use-messages.js';
import { ChannelHealth } from './channel-health.js';
import { SystemFigures } from './system-figures.js';

const REFRESH_MS = 5_000;

export function SystemView() {
  const { health: messages } = useMessages();
  const system = useQuery({
    ...apiQuery('/api/v1/system'),
    refetchInterval: REFRESH_MS,
  });
  return (
    <>
      <PageHeader title={messages.title} text={messages.text} />
      {system.isPending && <Skeleton lines={8} />}
      {system.error && <ErrorNotice error={system.error} onRetry={() => void system.refetch()} />}
      {system.data && (
        <div className="flex flex-col gap-4">
          <SystemFigures system={system.data} />
          <Card title={messages.planes}>
            <Planes planes={system.data.planes} />
          </Card>
          <Card title={messages.channels}>
            <ChannelHealth channels={system.data.channels} />
          </Card>
        </div>
      )}
    </>
  );
}

function Planes({ planes }: Pick<System, 'planes'>) {
  const { health: messages } = useMessages();
  if (planes.length === 0) return <EmptyState title={messages.emptyTitle} text={messages.emptyText} />;
  return (
    <Table
      caption={messages.planes}
      rows={planes}
      keyOf={(plane) => `${plane.plane} ${plane.instance}`}
      columns={[
        {
          header: messages.plane,
          cell: ({ row: { original: plane } }) => (
            <span className="font-medium">{sayCode(messages.planeNames, plane.plane)}</span>
          ),
        },
        {
          header: messages.instance,
          meta: { hideOnSmallScreens: true },
          cell: ({ row: { original: plane } }) => (
            // A service that listens to nobody has no port.
            <code className="font-mono text-xs">{plane.instance.replace(/:0$/, '')}</code>
          ),
        },
        {
          header: messages.version,
          meta: { hideOnSmallScreens: true },
          cell: ({ row: { original: plane } }) => <code className="font-mono text-xs">{plane.version}</code>,
        },
        {
          header: messages.started,
          meta: { hideOnSmallScreens: true },
          cell: ({ row: { original: plane } }) => <Moment at={plane.started_at} />,
        },
        { header: messages.seen, cell: ({ row: { original: plane } }) => <Moment at={plane.seen_at} /> },
        {
          header: messages.state,
          cell: ({ row: { original: plane } }) => (
            <Badge tone={plane.alive ? 'good' : 'bad'}>
              {plane.alive ? messages.alive : messages.silent}
            </Badge>
          ),
        },
      ]}
    />
  );
}
