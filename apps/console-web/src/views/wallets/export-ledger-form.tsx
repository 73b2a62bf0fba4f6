import * as z from 'zod/mini';
import { api } from '../../api/client.js';
import { FormDialog } from '../../components/form-dialog.js';
import { DateField } from '../../components/date-field.js';
import { saveFile } from '../../components/save-file.js';
import { day, orNothing } from '../../forms/texts.js';
import { useApiForm } from '../../forms/use-api-form.js';
import { dayOf, toDayBounds, useTimeZone, writeDay } from '../../layout/time-zone.js';
import { useMessages } from '../../messages/use-messages.js';

const schema = z.object({ from: orNothing(day, undefined), to: orNothing(day, undefined) });

/** Downloads the ledger of all wallets, of this month unless other days are named; for administrators. */
export function ExportLedgerForm({ onClose }: { readonly onClose: () => void }) {
  const { wallets: messages, actions, logs } = useMessages();
  const zone = useTimeZone();
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
        <DateField {...form.choice('from')} label={logs.from} hint={messages.fromHint(zone)} />
        <DateField {...form.choice('to')} label={logs.to} hint={messages.toHint(zone)} />
      </div>
    </FormDialog>
  );
}

function firstOfMonth(): string {
  const [year, month] = dayOf(new Date());
  return writeDay([year, month, 1]);
}
