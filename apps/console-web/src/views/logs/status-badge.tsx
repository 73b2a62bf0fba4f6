import type { LoggedCall } from '../../api/console-api.js';
import { Badge } from '../../components/badge.js';

interface StatusBadgeProps {
  readonly call: LoggedCall;
  /** Leaves the code of the error out where the table is narrow: `CalledAt` has it there. */
  readonly isShort?: boolean;
}

/** The status that the caller saw, with the code of the error where there was one. */
export function StatusBadge({ call, isShort = false }: StatusBadgeProps) {
  if (call.error_code === null && call.status < 400) return <Badge tone="good">{call.status}</Badge>;
  return (
    <Badge tone={call.status >= 500 ? 'bad' : 'warn'}>
      {call.status}
      <span
        className={isShort ? 'max-w-48 truncate @max-6xl:hidden @7xl:max-w-80' : ''}
        title={call.error_code ?? ''}
      >
        {call.error_code}
      </span>
    </Badge>
  );
}
