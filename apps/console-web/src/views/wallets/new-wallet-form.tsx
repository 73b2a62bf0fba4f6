import * as z from 'zod/mini';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import { FormDialog } from '../../components/form-dialog.js';
import { TextField } from '../../components/form-fields.js';
import { RowField } from '../../components/row-field.js';
import { name, orNothing, required, usd } from '../../forms/texts.js';
import { useApiForm } from '../../forms/use-api-form.js';
import { useMessages } from '../../messages/use-messages.js';

const schema = z.object({
  name,
  user_id: orNothing(required, null),
  credit_limit: orNothing(usd, undefined),
});

/** For administrators: a wallet of a user, or of the operator. */
export function NewWalletForm({ onClose }: { readonly onClose: () => void }) {
  const { wallets: messages, actions, done } = useMessages();
  const refresh = useRefresh();
  const form = useApiForm({
    schema,
    texts: { name: '', user_id: '', credit_limit: '' },
    send: async (body) => {
      await api.post('/api/v1/wallets', { body });
      await refresh('/api/v1/wallets');
    },
    done: (wallet) => done.created(wallet.name),
    onDone: onClose,
  });
  return (
    <FormDialog form={form} title={messages.create} action={actions.create} onClose={onClose}>
      <TextField {...form.field('name')} label={messages.name} required />
      <RowField
        {...form.choice('user_id')}
        label={messages.owner}
        hint={messages.ownerHint}
        path="/api/v1/users"
        noneName={messages.ownerNone}
      />
      <TextField
        {...form.field('credit_limit')}
        label={messages.creditLimitField}
        hint={messages.creditLimitHint}
        inputMode="decimal"
      />
    </FormDialog>
  );
}
