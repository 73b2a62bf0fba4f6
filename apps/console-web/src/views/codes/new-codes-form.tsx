import * as z from 'zod/mini';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { CodeBatchWithCodes } from '../../api/console-api.js';
import { DateField } from '../../components/date-field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { TextField } from '../../components/form-fields.js';
import { moment, note, orNothing, usdAboveZero, wholeNumber } from '../../forms/texts.js';
import { useApiForm } from '../../forms/use-api-form.js';
import { useMessages } from '../../messages/use-messages.js';

const schema = z.object({
  amount: usdAboveZero,
  count: wholeNumber(1, 1000),
  note: note(200),
  expires_at: orNothing(moment, null),
});

interface NewCodesFormProps {
  readonly onMade: (batch: CodeBatchWithCodes) => void;
  readonly onClose: () => void;
}

export function NewCodesForm({ onMade, onClose }: NewCodesFormProps) {
  const { codes: messages, tokens, actions } = useMessages();
  const refresh = useRefresh();
  const form = useApiForm({
    schema,
    texts: { amount: '', count: '1', note: '', expires_at: '' },
    send: async (body) => {
      onMade(await api.post('/api/v1/redemption-codes', { body }));
      await refresh('/api/v1/redemption-codes');
    },
    onDone: onClose,
  });
  return (
    <FormDialog form={form} title={messages.create} action={actions.create} onClose={onClose}>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField {...form.field('amount')} label={messages.amountField} required inputMode="decimal" />
        <TextField {...form.field('count')} label={messages.count} required inputMode="numeric" />
      </div>
      <TextField {...form.field('note')} label={messages.note} />
      <DateField {...form.choice('expires_at')} label={messages.expires} hint={tokens.expiresHint} hasTime />
    </FormDialog>
  );
}
