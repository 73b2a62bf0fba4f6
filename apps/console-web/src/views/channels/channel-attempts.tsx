import { useState } from 'react';
import type { System } from '../../api/console-api.js';
import { type ChannelAttempts, useAttempts } from '../../api/use-attempts.js';
import { Breakable } from '../../components/breakable.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Facts } from '../../components/facts.js';
import { Skeleton } from '../../components/skeleton.js';
import { Table } from '../../components/table.js';
import { useMessages } from '../../messages/use-messages.js';
import type { AttemptFigures, Span } from '../system/attempt-spans.js';
import { Resting } from '../system/channel-health.js';
import { ChannelState } from '../system/channel-state.js';
import { SpanChoice } from '../system/span-choice.js';
import { LastFailure, useAttemptColumns } from '../system/use-attempt-columns.js';

interface ChannelAttemptsProps {
  readonly channelId: string;
  /** What processes leave out of it, once that is known. */
  readonly health: System['channels'][number] | undefined;
}

interface AttemptRow extends AttemptFigures {
  /** Of the channel as a whole without it. */
  readonly model?: string;
  readonly key?: string | null;
}

/** How attempts at a channel went, as a whole and by model and key. */
export function ChannelAttemptsTable({ channelId, health }: ChannelAttemptsProps) {
  const { attempts: messages, health: texts, detail } = useMessages();
  const [span, setSpan] = useState<Span>('hour');
  const attempts = useAttempts(channelId);
  const columns = useAttemptColumns<AttemptRow>(span, (row) => row);
  const channel = attempts.data?.channels[0];
  if (attempts.error) return <ErrorNotice error={attempts.error} onRetry={() => void attempts.refetch()} />;
  if (!channel) return <Skeleton />;
  return (
    <div className="flex flex-col gap-3">
      <SpanChoice span={span} onChoose={setSpan} />
      {health !== undefined && health.resting.length > 0 && (
        <Facts facts={[[texts.restingModels, <Resting channel={health} />]]} />
      )}
      <Table
        caption={detail.health}
        rows={listRows(channel)}
        keyOf={({ model, key }) => JSON.stringify([model, key])}
        columns={[
          {
            header: messages.part,
            cell: ({
              row: {
                original: { model, key, last_failure: failure },
              },
            }) => (
              <div className="@xl:@max-4xl:min-w-44 @7xl:min-w-60">
                {model === undefined ? (
                  <span className="font-medium">
                    <Breakable text={messages.whole} />
                  </span>
                ) : (
                  <code className="font-mono text-xs">
                    <Breakable text={model} />
                  </code>
                )}
                {typeof key === 'string' && (
                  <code className="text-muted block font-mono text-xs whitespace-nowrap">{key}</code>
                )}
                <div className="@4xl:hidden">
                  <LastFailure failure={failure} />
                </div>
              </div>
            ),
          },
          {
            header: texts.state,
            cell: ({
              row: {
                original: { state },
              },
            }) => <ChannelState state={state} />,
          },
          columns.attempts,
          columns.success,
          columns.latency,
          columns.firstToken,
          columns.lastFailure,
        ]}
      />
    </div>
  );
}

function listRows({ parts, ...channel }: ChannelAttempts): readonly AttemptRow[] {
  return [channel, ...parts];
}
