import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Channel } from '../../api/console-api.js';
import { useAttempts } from '../../api/use-attempts.js';
import { useRows } from '../../api/use-rows.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { Cut } from '../../components/cut.js';
import { EmptyState } from '../../components/empty-state.js';
import { Icon } from '../../components/icon.js';
import { NameFilter, useNameFilter } from '../../components/name-filter.js';
import { PageHeader } from '../../components/page-header.js';
import { RowList } from '../../components/row-list.js';
import { actionsColumn, type Column, ROW_LINK_ABOVE } from '../../components/table.js';
import { useCount } from '../../components/use-count.js';
import { useSorting } from '../../components/use-sorting.js';
import { useMessages } from '../../messages/use-messages.js';
import { ChannelState } from '../system/channel-state.js';
import { ChannelActions } from './channel-actions.js';
import { ChannelForm } from './channel-form.js';
import { hasNoKeyLeft } from './channel-keys.js';
import { AddProvider } from './provider/add-provider.js';
import { UncallableModels } from './uncallable-models.js';

export function ChannelsView() {
  const { channels: messages, provider } = useMessages();
  const sorting = useSorting();
  const { sort, order } = sorting;
  const filters = useNameFilter();
  const channels = useRows('/api/v1/channels', { query: { ...filters, sort, order } });
  const [isCreating, setCreating] = useState(false);
  const columns = useChannelColumns();
  const [isAdding, setAdding] = useState(false);
  const create = (
    <>
      <Button onClick={() => setCreating(true)}>
        <Icon name="plus" />
        {messages.create}
      </Button>
      <Button kind="primary" onClick={() => setAdding(true)}>
        <Icon name="plus" />
        {provider.add}
      </Button>
    </>
  );
  return (
    <>
      <PageHeader title={messages.title} text={messages.text}>
        {create}
      </PageHeader>
      <Card>
        <NameFilter />
        <RowList
          caption={messages.title}
          pages={channels}
          sorting={sorting}
          columns={columns}
          keyOf={(channel) => channel.id}
          below={(channel) => <ChannelBelow channel={channel} />}
          empty={
            <EmptyState title={messages.emptyTitle} text={messages.emptyText} filters={filters}>
              {create}
            </EmptyState>
          }
        />
      </Card>
      {isCreating && <ChannelForm onClose={() => setCreating(false)} />}
      {isAdding && <AddProvider onClose={() => setAdding(false)} />}
    </>
  );
}

/** Where there is no room for columns of these. */
function ChannelBelow({ channel }: { readonly channel: Channel }) {
  const { channels: messages } = useMessages();
  return (
    // Set apart by room alone: a dot would end or begin a line.
    <span className="text-muted flex flex-wrap gap-x-3 text-xs @4xl:hidden">
      <span className="whitespace-nowrap">{channel.type}</span>
      <span className="whitespace-nowrap">{messages.modelCount(Object.keys(channel.models).length)}</span>
    </span>
  );
}

function useChannelColumns(): readonly Column<Channel>[] {
  const { channels: messages, channelKeys: keys, states } = useMessages();
  const count = useCount();
  const attempts = useAttempts();
  const stateOf = (channel: Channel) => {
    const state = attempts.data?.channels.find((known) => known.channel_id === channel.id)?.state;
    if (state !== undefined) return <ChannelState state={state} />;
    return <Badge>{channel.enabled ? states.enabled : states.disabled}</Badge>;
  };
  return [
    {
      header: messages.name,
      accessorKey: 'name',
      cell: ({ row: { original: channel } }) => (
        <Link to="/channels/$channelId" params={{ channelId: channel.id }} className={ROW_LINK_ABOVE}>
          <Cut text={channel.name} isWide />
        </Link>
      ),
    },
    {
      header: messages.type,
      accessorKey: 'type',
      meta: { hideOnSmallScreens: true },
      cell: ({ row: { original: channel } }) => <Cut text={channel.type} isCode />,
    },
    {
      header: messages.baseUrl,
      meta: { isExtra: true },
      cell: ({ row: { original: channel } }) => <Cut text={channel.base_url ?? '–'} isCode />,
    },
    {
      header: messages.models,
      meta: { isNumber: true, hideOnSmallScreens: true },
      cell: ({ row: { original: channel } }) => (
        <span title={Object.keys(channel.models).join(', ')}>
          {count(Object.keys(channel.models).length)}
        </span>
      ),
    },
    {
      header: messages.priority,
      accessorKey: 'priority',
      sortDescFirst: true,
      meta: { isNumber: true, hideOnSmallScreens: true },
      cell: ({ row: { original: channel } }) => channel.priority,
    },
    {
      header: messages.state,
      cell: ({ row: { original: channel } }) => (
        <div className="flex flex-wrap gap-1">
          {stateOf(channel)}
          {hasNoKeyLeft(channel) && (
            <span title={keys.allDisabled}>
              <Badge tone="warn">{keys.noneEnabled}</Badge>
            </span>
          )}
          <UncallableModels channel={channel} />
        </div>
      ),
    },
    actionsColumn((channel) => <ChannelActions channel={channel} />),
  ];
}
