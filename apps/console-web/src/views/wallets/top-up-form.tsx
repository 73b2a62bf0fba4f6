import { useState } from 'react';
import * as z from 'zod/mini';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Wallet } from '../../api/console-api.js';
import { Facts } from '../../components/facts.js';
import { FormDialog } from '../../components/form-dialog.js';
import { TextField } from '../../components/form-fields.js';
import { Money } from '../../components/money.js';
import { movedUsd, note } from '../../forms/texts.js';
import { useApiForm } from '../../forms/use-api-form.js';
import { useMessages } from '../../messages/use-messages.js';
import { formatUsd, parseUsd, showUsd, sumUsd } from '../../money/usd.js';

const schema = z.object({ amount: movedUsd, note: note(500) });

export function TopUpForm({ wallet, onClose }: { readonly wallet: Wallet; readonly onClose: () => void }) {
  const { wallets: messages, done } = useMessages();
  const refresh = useRefresh();
  // One key for one form: sent twice, by whatever mishap, it credits once.
  const [idempotencyKey] = useState(newIdempotencyKey);
  const form = useApiForm({
    schema,
    texts: { amount: '', note: '' },
    send: async (sent) => {
      const body = { ...sent, idempotency_key: idempotencyKey };
      await api.post('/api/v1/wallets/{id}/topups', { path: { id: wallet.id }, body });
      await refresh('/api/v1/wallets');
    },
    done: (sent) => {
      const moved = parseUsd(sent.amount);
      const size = showUsd(formatUsd(moved < 0n ? -moved : moved));
      return moved < 0n ? done.deducted(wallet.name, size) : done.toppedUp(wallet.name, size);
    },
    onDone: onClose,
  });
  const balance = useBalance(wallet, form.isPending);
  const amount = z.safeParse(movedUsd, form.read('amount')).data;
  return (
    <FormDialog
      form={form}
      title={messages.changeBalanceTitle(wallet.name)}
      action={amount?.startsWith('-') ? messages.deduct : messages.topUp}
      onClose={onClose}
    >
      <TextField
        {...form.field('amount')}
        label={messages.topUpAmount}
        hint={messages.topUpAmountHint}
        required
        inputMode="decimal"
      />
      <Facts
        facts={[
          [messages.balanceNow, <Money usd={balance} />],
          [messages.after, amount === undefined ? '–' : <Money usd={sumUsd([balance, amount])} />],
        ]}
      />
      <TextField {...form.field('note')} label={messages.note} />
    </FormDialog>
  );
}

/** The balance of a wallet, and while the form is sent that of before: the new one has the amount already. */
function useBalance({ balance }: Wallet, isSending: boolean): string {
  const [shown, setShown] = useState(balance);
  if (!isSending && shown !== balance) setShown(balance);
  return shown;
}

/** Not `randomUUID`: browsers offer that one over HTTPS and on their own machine only. */
function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return `console-${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}
