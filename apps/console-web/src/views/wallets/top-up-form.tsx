import { useState } from 'react';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Wallet } from '../../api/console-api.js';
import { Field, TextInput } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { useMessages } from '../../messages/use-messages.js';

export function TopUpForm({ wallet, onClose }: { readonly wallet: Wallet; readonly onClose: () => void }) {
  const { wallets: messages, done } = useMessages();
  const refresh = useRefresh();
  const [amount, setAmount] = useState('');
  const [note, setNote] = useState('');
  // One key for one form: sent twice, by whatever mishap, it credits once.
  const [idempotencyKey] = useState(newIdempotencyKey);
  const submit = async () => {
    const body = { amount: amount.trim(), note, idempotency_key: idempotencyKey };
    await api.post('/api/v1/wallets/{id}/topups', { path: { id: wallet.id }, body });
    await refresh('/api/v1/wallets');
  };
  return (
    <FormDialog
      title={messages.topUpTitle(wallet.name)}
      action={messages.topUp}
      done={done.toppedUp(wallet.name)}
      onSubmit={submit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <Field label={messages.topUpAmount} hint={messages.topUpAmountHint} error={errorOf('amount')}>
            <TextInput
              required
              inputMode="decimal"
              value={amount}
              onChange={(event) => setAmount(event.target.value)}
            />
          </Field>
          <Field label={messages.note} error={errorOf('note')}>
            <TextInput value={note} onChange={(event) => setNote(event.target.value)} />
          </Field>
        </>
      )}
    </FormDialog>
  );
}

/** Not `randomUUID`: browsers offer that one over HTTPS and on their own machine only. */
function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `console-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
