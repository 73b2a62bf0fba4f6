import { useState } from 'react';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import { Field, TextInput } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { RowPicker } from '../../components/row-picker.js';
import { useMessages } from '../../messages/use-messages.js';

/** For administrators. */
export function NewProjectForm({ onClose }: { readonly onClose: () => void }) {
  const { projects: messages, actions, done } = useMessages();
  const refresh = useRefresh();
  const [name, setName] = useState('');
  const [walletId, setWalletId] = useState('');
  const submit = async () => {
    await api.post('/api/v1/projects', { body: { name, wallet_id: walletId === '' ? undefined : walletId } });
    await refresh('/api/v1/projects', '/api/v1/wallets');
  };
  return (
    <FormDialog
      title={messages.createTitle}
      action={actions.create}
      done={done.created(name)}
      onSubmit={submit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <Field label={messages.name} error={errorOf('name')}>
            <TextInput required value={name} onChange={(event) => setName(event.target.value)} />
          </Field>
          <Field label={messages.wallet} hint={messages.walletHint} error={errorOf('wallet_id')}>
            <RowPicker
              path="/api/v1/wallets"
              value={walletId}
              noneName={messages.walletNew}
              onPick={setWalletId}
            />
          </Field>
        </>
      )}
    </FormDialog>
  );
}
