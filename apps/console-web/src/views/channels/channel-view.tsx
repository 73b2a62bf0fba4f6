import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { apiQuery } from '../../api/api-query.js';
import type { Channel } from '../../api/console-api.js';
import { BackLink } from '../../components/back-link.js';
import { Badge } from '../../components/badge.js';
import { Card, CARD_LINK } from '../../components/card.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Facts } from '../../components/facts.js';
import { Moment } from '../../components/moment.js';
import { PageHeader } from '../../components/page-header.js';
import { Skeleton } from '../../components/skeleton.js';
import { useMessages } from '../../messages/use-messages.js';
import { CallsCard } from '../detail/calls-card.js';
import { ChangesCard } from '../detail/changes-card.js';
import { LimitsCard } from '../detail/limits-card.js';
import { ChannelActions } from './channel-actions.js';
import { ChannelAttemptsTable } from './channel-attempts.js';
import { ChannelKeysCard } from './channel-keys-card.js';
import { ChannelModels } from './channel-models.js';

/** A channel: its keys, models and prices, limits, health, last errors and changes. */
export function ChannelView() {
  const { channelId } = useParams({ from: '/signed-in/administration/channels/$channelId' });
  const { channels: messages, detail } = useMessages();
  const navigate = useNavigate();
  const channel = useQuery(apiQuery('/api/v1/channels/{id}', { path: { id: channelId } }));
  const system = useQuery(apiQuery('/api/v1/system'));
  if (channel.error) return <ErrorNotice error={channel.error} onRetry={() => void channel.refetch()} />;
  if (!channel.data) return <Skeleton lines={10} />;
  const health = system.data?.channels.find(({ id }) => id === channelId);
  return (
    <>
      <PageHeader title={channel.data.name} back={<BackLink to="/channels" name={messages.title} />}>
        <ChannelActions
          channel={channel.data}
          isOfPage
          onDeleted={() => void navigate({ to: '/channels' })}
        />
      </PageHeader>
      <div className="grid gap-4 xl:grid-cols-2">
        <Card title={messages.settings}>
          <ChannelFacts channel={channel.data} />
        </Card>
        <div className="flex flex-col gap-4">
          <LimitsCard limits={channel.data.limits} />
          <ChannelKeysCard channel={channel.data} health={health} />
        </div>
        <Card title={detail.health} className="xl:col-span-2">
          <ChannelAttemptsTable channelId={channelId} health={health} />
          <Link to="/logs" search={{ channel: channel.data.name }} className={CARD_LINK}>
            {detail.allCalls}
          </Link>
        </Card>
        <Card title={messages.models} className="xl:col-span-2">
          <ChannelModels channel={channel.data} />
        </Card>
        <CallsCard title={detail.lastErrors} search={{ channel: channel.data.name, failed: 'true' }} />
        <CallsCard
          title={detail.failovers}
          search={{ channel: channel.data.name, failed_over: 'true', failed: 'false' }}
        />
        <div className="xl:col-span-2">
          <ChangesCard targetId={channelId} />
        </div>
      </div>
    </>
  );
}

function ChannelFacts({ channel }: { readonly channel: Channel }) {
  const { channels: messages, routing, states, detail } = useMessages();
  return (
    <Facts
      facts={[
        [
          messages.state,
          <Badge tone={channel.enabled ? 'good' : 'plain'}>
            {channel.enabled ? states.enabled : states.disabled}
          </Badge>,
        ],
        [messages.type, <code className="font-mono text-xs">{channel.type}</code>],
        [messages.baseUrl, channel.base_url && <code className="font-mono text-xs">{channel.base_url}</code>],
        ...Object.entries(channel.settings).map(([name, value]) => [name, JSON.stringify(value)] as const),
        [messages.priority, String(channel.priority)],
        [messages.weight, String(channel.weight)],
        [routing.onAbort, channel.on_abort && routing.onAbortChoices[channel.on_abort]],
        [routing.batches, channel.batches === 'native' && routing.batchesChoices.native],
        [routing.probe, channel.probe],
        [detail.created, <Moment at={channel.created_at} isAbsolute />],
        [detail.changed, <Moment at={channel.updated_at} isAbsolute />],
      ]}
    />
  );
}
