import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as z from 'zod/mini';
import { apiQuery, useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import { useMe } from '../../api/use-me.js';
import { FormDialog } from '../../components/form-dialog.js';
import { TextField } from '../../components/form-fields.js';
import { RowField } from '../../components/row-field.js';
import { orNothing, required } from '../../forms/texts.js';
import { useApiForm } from '../../forms/use-api-form.js';
import { useMessages } from '../../messages/use-messages.js';

const schema = z.object({ code: required, wallet_id: orNothing(required, undefined) });

/** As many as the API lists at once. */
const MOST_LISTED = 200;
const OLDEST_FIRST = { sort: 'created', order: 'asc', limit: MOST_LISTED } as const;

/**
 * Is drawn once it is known which wallet is meant unless another one is chosen: the reader's first. Where the list of wallets
 * does not come at the first attempt it is drawn without, and the server takes that wallet.
 */
export function RedeemForm({ onClose }: { readonly onClose: () => void }) {
  const me = useMe();
  const wallets = useQuery(apiQuery('/api/v1/wallets', { query: OLDEST_FIRST }));
  // Stays as it was first: the form does not change while somebody writes in it.
  const [walletId, setWalletId] = useState<string>();
  const { isPending, fetchStatus, failureCount } = wallets;
  const isAwaited = isPending && fetchStatus === 'fetching' && failureCount === 0;
  if (walletId === undefined && !isAwaited) {
    const first = wallets.data?.data.find((wallet) => wallet.user_id === me.data?.id);
    setWalletId(first?.id ?? '');
  }
  return walletId !== undefined && <KnownRedeemForm walletId={walletId} onClose={onClose} />;
}

interface KnownRedeemFormProps {
  /** Empty where there is none yet, or none is known. */
  readonly walletId: string;
  readonly onClose: () => void;
}

/** Turns a code into money in a wallet of the user's. */
function KnownRedeemForm({ walletId, onClose }: KnownRedeemFormProps) {
  const { wallets: messages, tokens, done } = useMessages();
  const refresh = useRefresh();
  const form = useApiForm({
    schema,
    texts: { code: '', wallet_id: walletId },
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
      <RowField
        {...form.choice('wallet_id')}
        label={tokens.wallet}
        hint={messages.codeWalletHint}
        path="/api/v1/wallets"
        noneName={walletId === '' ? tokens.walletDefault : undefined}
      />
    </FormDialog>
  );
}
