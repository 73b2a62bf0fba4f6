import type { LoggedCall } from '../../api/console-api.js';
import { Cut } from '../../components/cut.js';
import { Moment } from '../../components/moment.js';
import { useMessages } from '../../messages/use-messages.js';

/** The model that was called; on a phone with when that was. */
export function CalledModel({ call }: { readonly call: LoggedCall }) {
  const { logs: messages } = useMessages();
  return (
    <>
      <Cut text={call.model || messages.noModel} />
      <span className="text-muted block text-xs font-normal @sm:hidden">
        <Moment at={call.created_at} />
      </span>
    </>
  );
}
