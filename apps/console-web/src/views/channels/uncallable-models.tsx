import type { Channel } from '../../api/console-api.js';
import { Badge } from '../../components/badge.js';
import { useMessages } from '../../messages/use-messages.js';

/** Says that callers are refused some models of a channel, and why, whatever the channel answers. */
export function UncallableModels({ channel }: { readonly channel: Channel }) {
  const { channels: messages } = useMessages();
  const { uncallable_models: models } = channel;
  if (models.length === 0) return null;
  const reasons = models.map(({ slug, reason }) => `${slug}: ${messages.uncallableReasons[reason]}`);
  return (
    <span title={reasons.join('\n')}>
      <Badge tone="warn">{messages.uncallable(models.length)}</Badge>
    </span>
  );
}
