import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { type ChannelAttempts, useAttempts } from '../../api/use-attempts.js';
import { Breakable } from '../../components/breakable.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Skeleton } from '../../components/skeleton.js';
import { ROW_LINK_ABOVE, Table } from '../../components/table.js';
import { useMessages } from '../../messages/use-messages.js';
import type { Span } from '../system/attempt-spans.js';
import { ChannelState } from '../system/channel-state.js';
import { SpanChoice } from '../system/span-choice.js';
import { useAttemptColumns } from '../system/use-attempt-columns.js';

type PartRow = ChannelAttempts['parts'][number] & Pick<ChannelAttempts, 'channel_id' | 'channel'>;

/** How attempts for a model went at each channel and key that was asked in the last 24 hours. */
export function ModelAttempts({ slug }: { readonly slug: string }) {
  const { attempts: messages, health, logs } = useMessages();
  const [span, setSpan] = useState<Span>('hour');
  const attempts = useAttempts();
  const columns = useAttemptColumns<PartRow>(span, (row) => row);
  if (attempts.error) return <ErrorNotice error={attempts.error} onRetry={() => void attempts.refetch()} />;
  if (!attempts.data) return <Skeleton />;
  const rows = attempts.data.channels.flatMap(({ parts, channel_id, channel }) =>
    parts.filter(({ model }) => model === slug).map((part): PartRow => ({ ...part, channel_id, channel })),
  );
  if (rows.length === 0) return <p className="text-muted">{messages.none}</p>;
  return (
    <div className="flex flex-col gap-3">
      <SpanChoice span={span} onChoose={setSpan} />
      <Table
        caption={messages.attempts}
        rows={rows}
        keyOf={({ channel_id: id, key }) => `${id} ${key}`}
        columns={[
          {
            header: logs.channel,
            cell: ({ row: { original: part } }) => (
              <>
                <Link
                  to="/channels/$channelId"
                  params={{ channelId: part.channel_id }}
                  className={ROW_LINK_ABOVE}
                >
                  <span>
                    <Breakable text={part.channel} />
                  </span>
                </Link>
                {part.key !== null && <code className="text-muted block font-mono text-xs">{part.key}</code>}
              </>
            ),
          },
          {
            header: health.state,
            cell: ({
              row: {
                original: { state },
              },
            }) => <ChannelState state={state} />,
          },
          columns.success,
          columns.latency,
        ]}
      />
    </div>
  );
}
