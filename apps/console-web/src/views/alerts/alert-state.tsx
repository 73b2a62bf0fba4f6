import type { Alert } from '../../api/console-api.js';
import { Badge } from '../../components/badge.js';
import { useMessages } from '../../messages/use-messages.js';

/** Whether an alert is over, and how bad it is while it is not. */
export function AlertState({ alert }: { readonly alert: Pick<Alert, 'level' | 'resolved_at'> }) {
  const { alerts: messages } = useMessages();
  if (alert.resolved_at !== null) return <Badge tone="good">{messages.states.resolved}</Badge>;
  return <Badge tone={alert.level === 'near' ? 'warn' : 'bad'}>{messages.levels[alert.level]}</Badge>;
}
