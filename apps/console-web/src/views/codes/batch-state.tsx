import type { CodeBatch } from '../../api/console-api.js';
import { Badge } from '../../components/badge.js';
import { useMessages } from '../../messages/use-messages.js';

/** Whether the codes of a batch can be redeemed. */
export function BatchState({ batch }: { readonly batch: Pick<CodeBatch, 'disabled'> }) {
  const { states } = useMessages();
  return batch.disabled ? <Badge>{states.disabled}</Badge> : <Badge tone="good">{states.active}</Badge>;
}
