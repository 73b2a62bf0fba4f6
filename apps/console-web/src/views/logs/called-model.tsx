import type { LoggedCall } from '../../api/console-api.js';
import { Cut } from '../../components/cut.js';
import { Moment } from '../../components/moment.js';
import type { Column } from '../../components/table.js';
import { useMessages } from '../../messages/use-messages.js';

/** The model that was called. */
export function useModelColumn(): Column<LoggedCall> {
  const { logs: messages } = useMessages();
  return {
    id: 'model',
    header: messages.model,
    enableHiding: false,
    cell: ({ row: { original: call } }) => <Cut text={call.model || messages.noModel} isWide />,
  };
}

interface CalledAtProps {
  readonly call: LoggedCall;
  /** Whether key and channel stand there too, where there is no column of them. */
  readonly hasOrigin?: boolean;
}

/**
 * What a table that is narrow has no columns of, below the model: when a call was, the code of its error, through which channel
 * it went and by which key.
 */
export function CalledAt({ call, hasOrigin = false }: CalledAtProps) {
  const origin = [call.channel, call.token_name].filter(Boolean).join(' · ');
  return (
    <>
      <span className="text-muted block text-xs font-normal @sm:hidden">
        <Moment at={call.created_at} />
      </span>
      {call.error_code !== null && (
        <span
          className={`block text-xs font-normal @6xl:hidden ${call.status >= 500 ? 'text-bad' : 'text-warn'}`}
        >
          <Cut text={call.error_code} isWide />
        </span>
      )}
      {hasOrigin && origin !== '' && (
        <span className="text-muted hidden text-xs font-normal @sm:block @4xl:hidden">
          <Cut text={origin} isWide />
        </span>
      )}
    </>
  );
}
