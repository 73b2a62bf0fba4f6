import * as z from 'zod/mini';
import { api } from '../../api/client.js';
import { FormDialog } from '../../components/form-dialog.js';
import { TextField } from '../../components/form-fields.js';
import { saveFile } from '../../components/save-file.js';
import { useApiForm } from '../../forms/use-api-form.js';
import { dayOf, toDayBounds } from '../../layout/time-zone.js';
import { useMessages } from '../../messages/use-messages.js';

const schema = z.object({ from: z.string(), to: z.string() });

/** Downloads the ledger of all wallets, of this month unless other days are named; for administrators. */
export function ExportLedgerForm({ onClose }: { readonly onClose: () => void }) {
  const { wallets: messages, actions, logs } = useMessages();
  const form = useApiForm({
    schema,
    texts: { from: firstOfMonth(), to: '' },
    send: async (days) =>
      saveFile(await api.getFile('/api/v1/ledger.csv', { query: toDayBounds(days) }), 'ledger.csv'),
    onDone: onClose,
  });
  return (
    <FormDialog form={form} title={messages.exportAll} action={actions.export} onClose={onClose}>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField {...form.field('from')} label={logs.from} type="date" />
        <TextField {...form.field('to')} label={logs.to} type="date" />
      </div>
    </FormDialog>
  );
}

function firstOfMonth(): string {
  const [year, month] = dayOf(new Date());
  return `${year}-${String(month).padStart(2, '0')}-01`;
}
