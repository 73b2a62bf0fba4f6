import { useState } from 'react';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { CodeBatchWithCodes } from '../../api/console-api.js';
import { Field, TextInput } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { useMessages } from '../../messages/use-messages.js';

interface NewCodesFormProps {
  readonly onMade: (batch: CodeBatchWithCodes) => void;
  readonly onClose: () => void;
}

export function NewCodesForm({ onMade, onClose }: NewCodesFormProps) {
  const { codes: messages, actions } = useMessages();
  const refresh = useRefresh();
  const [amount, setAmount] = useState('');
  const [count, setCount] = useState('1');
  const [note, setNote] = useState('');
  const [expiresAt, setExpiresAt] = useState('');
  const submit = async () => {
    const expires = expiresAt === '' ? null : new Date(expiresAt).toISOString();
    const body = { amount: amount.trim(), count: Number(count), note, expires_at: expires };
    onMade(await api.post('/api/v1/redemption-codes', { body }));
    await refresh('/api/v1/redemption-codes');
  };
  return (
    <FormDialog title={messages.create} action={actions.create} onSubmit={submit} onClose={onClose}>
      {(errorOf) => (
        <>
          <div className="grid gap-4 sm:grid-cols-2">
            <Field label={messages.amount} hint={messages.amountHint} error={errorOf('amount')}>
              <TextInput
                required
                inputMode="decimal"
                value={amount}
                onChange={(event) => setAmount(event.target.value)}
              />
            </Field>
            <Field label={messages.count} error={errorOf('count')}>
              <TextInput
                type="number"
                min={1}
                max={1000}
                required
                value={count}
                onChange={(event) => setCount(event.target.value)}
              />
            </Field>
          </div>
          <Field label={messages.note} error={errorOf('note')}>
            <TextInput value={note} onChange={(event) => setNote(event.target.value)} />
          </Field>
          <Field label={messages.expires} error={errorOf('expires_at')}>
            <TextInput
              type="datetime-local"
              value={expiresAt}
              onChange={(event) => setExpiresAt(event.target.value)}
            />
          </Field>
        </>
      )}
    </FormDialog>
  );
}
