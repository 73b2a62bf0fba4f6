import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { System } from '../../api/console-api.js';
import { useAttempts } from '../../api/use-attempts.js';
import { Breakable } from '../../components/breakable.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Moment } from '../../components/moment.js';
import { Skeleton } from '../../components/skeleton.js';
import { ROW_LINK_ABOVE, Table } from '../../components/table.js';
import { useCount } from '../../components/use-count.js';
import { useMessages } from '../../messages/use-messages.js';
import type { AttemptFigures, Span } from './attempt-spans.js';
import { ChannelState } from './channel-state.js';
import { SpanChoice } from './span-choice.js';
import { LastFailure, useAttemptColumns } from './use-attempt-columns.js';

type Channel = System['channels'][number];

/** What the attempts say of each channel, and for which models it is rested after failures. */
export function ChannelHealth({ channels }: { readonly channels: readonly Channel[] }) {
  const { health: messages, channels: texts, channelKeys: keys } = useMessages();
  const [span, setSpan] = useState<Span>('hour');
  const attempts = useAttempts();
  const figuresOf = ({ id }: Channel) => attempts.data?.channels.find((known) => known.channel_id === id);
  const columns = useAttemptColumns(span, figuresOf);
  return (
    <div className="flex flex-col gap-3">
      <SpanChoice span={span} onChoose={setSpan} />
      {attempts.error && <ErrorNotice error={attempts.error} onRetry={() => void attempts.refetch()} />}
      {attempts.isPending ? (
        <Skeleton lines={6} />
      ) : (
        <Table
          caption={messages.channels}
          rows={channels}
          keyOf={(channel) => channel.id}
          columns={[
            {
              header: texts.name,
              cell: ({ row: { original: channel } }) => (
                <>
                  <Link
                    to="/channels/$channelId"
                    params={{ channelId: channel.id }}
                    className={ROW_LINK_ABOVE}
                  >
                    <span>
                      <Breakable text={channel.name} />
                    </span>
                  </Link>
                  <NarrowFigures figures={figuresOf(channel)} span={span} />
                </>
              ),
            },
            {
              header: messages.state,
              cell: ({ row: { original: channel } }) => (
                <>
                  <ChannelState state={figuresOf(channel)?.state ?? channel.state} />
                  {!channel.has_key && <p className="mt-1 text-xs">{keys.allDisabled}</p>}
                  <Resting channel={channel} />
                </>
              ),
            },
            columns.attempts,
            columns.success,
            columns.latency,
            columns.firstToken,
            columns.lastFailure,
          ]}
        />
      )}
    </div>
  );
}

interface NarrowFiguresProps {
  readonly figures: AttemptFigures | undefined;
  readonly span: Span;
}

/** Below the name of a channel where there is no room for columns of these. */
function NarrowFigures({ figures, span }: NarrowFiguresProps) {
  const { health: messages } = useMessages();
  const count = useCount();
  if (!figures) return null;
  const { served, failed } = figures[span];
  return (
    <div className="text-muted mb-1 text-xs @4xl:hidden">
      <p className="@sm:hidden">{messages.attempts(count(served), count(failed))}</p>
      <p>
        <LastFailure failure={figures.last_failure} />
      </p>
    </div>
  );
}

/** What processes leave out of a channel at the moment, and until when. */
export function Resting({ channel }: { readonly channel: Channel }) {
  const { health: messages } = useMessages();
  return channel.resting.map((rest) => (
    <p
      key={`${rest.instance} ${rest.model} ${rest.key}`}
      className="mt-1 max-w-120 text-xs @max-sm:max-w-32"
      title={rest.reason ?? undefined}
    >
      {rest.key !== null && <code className="whitespace-nowrap">{rest.key}</code>}{' '}
      <Breakable text={messages.rest(rest.model, rest.failures)} /> <Moment at={rest.until} />
    </p>
  ));
}
