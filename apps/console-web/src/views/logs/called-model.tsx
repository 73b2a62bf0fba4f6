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

/** When a call was, below its model on a phone, where there is no column of it. */
export function CalledAt({ call }: { readonly call: LoggedCall }) {
  return (
    <span className="text-muted block text-xs font-normal @sm:hidden">
      <Moment at={call.created_at} />
    </span>
  );
}
