import { useState } from 'react';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import { Field, TextInput } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { useMessages } from '../../messages/use-messages.js';

/** Turns a code into money in the user's wallet. */
export function RedeemForm({ onClose }: { readonly onClose: () => void }) {
  const { wallets: messages, done } = useMessages();
  const refresh = useRefresh();
  const [code, setCode] = useState('');
  const submit = async () => {
    await api.post('/api/v1/redemption-codes/redeem', { body: { code: code.trim() } });
    await refresh('/api/v1/wallets', '/api/v1/redemption-codes');
  };
  return (
    <FormDialog
      title={messages.redeem}
      action={messages.redeemAction}
      done={done.redeemed}
      onSubmit={submit}
      onClose={onClose}
    >
      {(errorOf) => (
        <Field label={messages.code} hint={messages.codeHint} error={errorOf('code')}>
          <TextInput
            required
            autoComplete="off"
            className="font-mono"
            value={code}
            onChange={(event) => setCode(event.target.value)}
          />
        </Field>
      )}
    </FormDialog>
  );
}
