import * as z from 'zod/mini';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import { FormDialog } from '../../components/form-dialog.js';
import { TextField } from '../../components/form-fields.js';
import { required } from '../../forms/texts.js';
import { useApiForm } from '../../forms/use-api-form.js';
import { useMessages } from '../../messages/use-messages.js';

const schema = z.object({ code: required });

/** Turns a code into money in the user's wallet. */
export function RedeemForm({ onClose }: { readonly onClose: () => void }) {
  const { wallets: messages, done } = useMessages();
  const refresh = useRefresh();
  const form = useApiForm({
    schema,
    texts: { code: '' },
    send: async (body) => {
      await api.post('/api/v1/redemption-codes/redeem', { body });
      await refresh('/api/v1/wallets', '/api/v1/redemption-codes');
    },
    done: () => done.redeemed,
    onDone: onClose,
  });
  return (
    <FormDialog form={form} title={messages.redeem} action={messages.redeemAction} onClose={onClose}>
      <TextField
        {...form.field('code')}
        label={messages.code}
        hint={messages.codeHint}
        required
        autoComplete="off"
        className="font-mono"
      />
    </FormDialog>
  );
}
