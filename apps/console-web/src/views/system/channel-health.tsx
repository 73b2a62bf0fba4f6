import type { System } from '../../api/console-api.js';
import { Badge } from '../../components/badge.js';
import { Moment } from '../../components/moment.js';
import { Table } from '../../components/table.js';
import { useMessages } from '../../messages/use-messages.js';

/** Channels, and for which models they are rested after failures. */
export function ChannelHealth({ channels }: Pick<System, 'channels'>) {
  const { health: messages, channels: texts, states } = useMessages();
  return (
    <Table
      caption={messages.channels}
      rows={channels}
      keyOf={(channel) => channel.id}
      columns={[
        { title: texts.name, cell: (channel) => <span className="font-medium">{channel.name}</span> },
        {
          title: messages.state,
          cell: ({ enabled, healthy }) => {
            if (!enabled) return <Badge>{states.disabled}</Badge>;
            return (
              <Badge tone={healthy ? 'good' : 'bad'}>{healthy ? messages.healthy : messages.resting}</Badge>
            );
          },
        },
        {
          title: messages.restingModels,
          cell: (channel) =>
            channel.resting.map((rest) => (
              <p
                key={`${rest.instance} ${rest.model} ${rest.key}`}
                className="text-xs"
                title={rest.reason ?? undefined}
              >
                {rest.key !== null && <code>{rest.key} </code>}
                {messages.rest(rest.model, rest.failures)} <Moment at={rest.until} />
              </p>
            )),
        },
      ]}
    />
  );
}
