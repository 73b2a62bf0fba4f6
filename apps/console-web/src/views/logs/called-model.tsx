import type { LoggedCall } from '../../api/console-api.js';
import { Cut } from '../../components/cut.js';
import { Moment } from '../../components/moment.js';
import type { Column } from '../../components/table.js';
import { useMessages } from '../../messages/use-messages.js';

/** The model that was called; on a phone with when that was. */
export function useModelColumn(): Column<LoggedCall> {
  const { logs: messages } = useMessages();
  return {
    title: messages.model,
    cell: (call) => <Cut text={call.model || messages.noModel} isWide />,
    below: (call) => (
      <span className="text-muted block text-xs font-normal @sm:hidden">
        <Moment at={call.created_at} />
      </span>
    ),
  };
}
