import * as z from 'zod/mini';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import { FormDialog } from '../../components/form-dialog.js';
import { TextField } from '../../components/form-fields.js';
import { RowField } from '../../components/row-field.js';
import { name, orNothing, required } from '../../forms/texts.js';
import { useApiForm } from '../../forms/use-api-form.js';
import { useMessages } from '../../messages/use-messages.js';

const schema = z.object({ name, wallet_id: orNothing(required, undefined) });

/** For administrators. */
export function NewProjectForm({ onClose }: { readonly onClose: () => void }) {
  const { projects: messages, actions, done } = useMessages();
  const refresh = useRefresh();
  const form = useApiForm({
    schema,
    texts: { name: '', wallet_id: '' },
    send: async (body) => {
      await api.post('/api/v1/projects', { body });
      await refresh('/api/v1/projects', '/api/v1/wallets');
    },
    done: (project) => done.created(project.name),
    onDone: onClose,
  });
  const wallet = form.choice('wallet_id');
  return (
    <FormDialog form={form} title={messages.createTitle} action={actions.create} onClose={onClose}>
      <TextField {...form.field('name')} label={messages.name} required />
      <RowField
        {...wallet}
        label={messages.wallet}
        hint={wallet.value === '' ? undefined : messages.walletHint}
        path="/api/v1/wallets"
        noneName={messages.walletNew}
      />
    </FormDialog>
  );
}
