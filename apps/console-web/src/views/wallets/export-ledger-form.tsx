import { useState } from 'react';
import { api } from '../../api/client.js';
import { Field, TextInput } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { saveFile } from '../../components/save-file.js';
import { dayOf, toDayBounds } from '../../layout/time-zone.js';
import { useMessages } from '../../messages/use-messages.js';

/** Downloads the ledger of all wallets, of this month unless other days are named; for administrators. */
export function ExportLedgerForm({ onClose }: { readonly onClose: () => void }) {
  const { wallets: messages, actions, logs } = useMessages();
  const [from, setFrom] = useState(firstOfMonth);
  const [to, setTo] = useState('');
  const submit = async () => {
    saveFile(await api.getFile('/api/v1/ledger.csv', { query: toDayBounds({ from, to }) }), 'ledger.csv');
  };
  return (
    <FormDialog title={messages.exportAll} action={actions.export} onSubmit={submit} onClose={onClose}>
      {(errorOf) => (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label={logs.from} error={errorOf('from')}>
            <TextInput type="date" value={from} onChange={(event) => setFrom(event.target.value)} />
          </Field>
          <Field label={logs.to} error={errorOf('to')}>
            <TextInput type="date" value={to} onChange={(event) => setTo(event.target.value)} />
          </Field>
        </div>
      )}
    </FormDialog>
  );
}

function firstOfMonth(): string {
  const [year, month] = dayOf(new Date());
  return `${year}-${String(month).padStart(2, '0')}-01`;
}
