import * as z from 'zod/mini';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Channel } from '../../api/console-api.js';
import { FormDialog } from '../../components/form-dialog.js';
import { TextField } from '../../components/form-fields.js';
import { required } from '../../forms/texts.js';
import { useApiForm } from '../../forms/use-api-form.js';
import { useMessages } from '../../messages/use-messages.js';

const schema = z.object({ api_key: required });

/** Gives a channel one more key of its provider. */
export function AddKeyForm({
  channel,
  onClose,
}: {
  readonly channel: Channel;
  readonly onClose: () => void;
}) {
  const { channelKeys: messages, channels, done } = useMessages();
  const refresh = useRefresh();
  const form = useApiForm({
    schema,
    texts: { api_key: '' },
    send: async (body) => {
      await api.post('/api/v1/channels/{id}/keys', { path: { id: channel.id }, body });
      await refresh('/api/v1/channels', '/api/v1/system');
    },
    done: () => done.keyAdded(channel.name),
    onDone: onClose,
  });
  return (
    <FormDialog form={form} title={messages.add} action={messages.add} onClose={onClose}>
      <TextField
        {...form.field('api_key')}
        label={channels.apiKey}
        hint={channels.apiKeyHint}
        type="password"
        autoComplete="off"
        required
      />
    </FormDialog>
  );
}
