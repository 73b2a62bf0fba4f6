import { useState } from 'react';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import { Field, TextInput } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { RowPicker } from '../../components/row-picker.js';
import { useMessages } from '../../messages/use-messages.js';

/** For administrators: a wallet of a user, or of the operator. */
export function NewWalletForm({ onClose }: { readonly onClose: () => void }) {
  const { wallets: messages, actions, done } = useMessages();
  const refresh = useRefresh();
  const [name, setName] = useState('');
  const [userId, setUserId] = useState('');
  const [creditLimit, setCreditLimit] = useState('');
  const submit = async () => {
    const limit = creditLimit.trim();
    await api.post('/api/v1/wallets', {
      body: {
        name,
        user_id: userId === '' ? null : userId,
        credit_limit: limit === '' ? undefined : limit,
      },
    });
    await refresh('/api/v1/wallets');
  };
  return (
    <FormDialog
      title={messages.create}
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
          <Field label={messages.owner} hint={messages.ownerHint} error={errorOf('user_id')}>
            <RowPicker path="/api/v1/users" value={userId} noneName={messages.ownerNone} onPick={setUserId} />
          </Field>
          <Field label={messages.creditLimit} hint={messages.creditLimitHint} error={errorOf('credit_limit')}>
            <TextInput
              inputMode="decimal"
              value={creditLimit}
              onChange={(event) => setCreditLimit(event.target.value)}
            />
          </Field>
        </>
      )}
    </FormDialog>
  );
}
