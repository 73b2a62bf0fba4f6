import type { AuditEntry } from '../../api/console-api.js';
import { Breakable } from '../../components/breakable.js';
import { sayCode } from '../../messages/say-code.js';
import { useMessages } from '../../messages/use-messages.js';

/** What was done, in words, with the code that filters and programs know it by. */
export function AuditAction({ action }: Pick<AuditEntry, 'action'>) {
  const { audit } = useMessages();
  const words = sayCode(audit.actions, action);
  return (
    <span className="flex flex-wrap items-baseline gap-x-2">
      {words !== action && (
        <span>
          <Breakable text={words} />
        </span>
      )}{' '}
      <code className={`text-muted font-mono text-xs ${words === action ? '' : 'max-sm:hidden'}`}>
        {action}
      </code>
    </span>
  );
}
