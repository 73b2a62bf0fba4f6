import { useState } from 'react';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Wallet } from '../../api/console-api.js';
import { Field, TextInput } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { useMessages } from '../../messages/use-messages.js';

/** How far a wallet may go below zero; for administrators. */
export function CreditLimitForm({
  wallet,
  onClose,
}: {
  readonly wallet: Wallet;
  readonly onClose: () => void;
}) {
  const { wallets: messages } = useMessages();
  const refresh = useRefresh();
  const [limit, setLimit] = useState(wallet.credit_limit);
  const submit = async () => {
    await api.patch('/api/v1/wallets/{id}', {
      path: { id: wallet.id },
      body: { credit_limit: limit.trim() },
    });
    await refresh('/api/v1/wallets');
  };
  return (
    <FormDialog
      title={messages.creditLimitTitle(wallet.name)}
      action={messages.creditLimitSave}
      onSubmit={submit}
      onClose={onClose}
    >
      {(errorOf) => (
        <Field label={messages.creditLimit} hint={messages.creditLimitHint} error={errorOf('credit_limit')}>
          <TextInput
            required
            inputMode="decimal"
            value={limit}
            onChange={(event) => setLimit(event.target.value)}
          />
        </Field>
      )}
    </FormDialog>
  );
}
