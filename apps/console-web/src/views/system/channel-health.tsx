import { Link } from '@tanstack/react-router';
import type { System } from '../../api/console-api.js';
import { Cut } from '../../components/cut.js';
import { Moment } from '../../components/moment.js';
import { Table } from '../../components/table.js';
import { useCount } from '../../components/use-count.js';
import { useMessages } from '../../messages/use-messages.js';
import { ChannelState } from './channel-state.js';

/** What the attempts say of each channel, and for which models it is rested after failures. */
export function ChannelHealth({ channels }: Pick<System, 'channels'>) {
  const { health: messages, channels: texts } = useMessages();
  const count = useCount();
  return (
    <Table
      caption={messages.channels}
      rows={channels}
      keyOf={(channel) => channel.id}
      columns={[
        {
          title: texts.name,
          cell: (channel) => (
            <Link
              to="/channels/$channelId"
              params={{ channelId: channel.id }}
              className="font-medium underline-offset-4 hover:underline"
            >
              {channel.name}
            </Link>
          ),
        },
        {
          title: messages.state,
          cell: ({ state }) => <ChannelState state={state} />,
        },
        {
          title: messages.lastHour,
          cell: ({ attempts }) => messages.attempts(count(attempts.hour.served), count(attempts.hour.failed)),
        },
        {
          title: messages.lastDay,
          hideOnSmallScreens: true,
          cell: ({ attempts }) => messages.attempts(count(attempts.day.served), count(attempts.day.failed)),
        },
        {
          title: messages.lastFailure,
          hideOnSmallScreens: true,
          cell: ({ last_failure: failure }) =>
            failure && (
              <span className="text-xs" title={failure.reason}>
                <Moment at={failure.at} />
                <Cut text={[failure.status, failure.reason].filter(Boolean).join(' ')} />
              </span>
            ),
        },
        {
          title: messages.restingModels,
          hideOnSmallScreens: true,
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
