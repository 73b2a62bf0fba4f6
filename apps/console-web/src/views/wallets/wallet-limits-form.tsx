import { useState } from 'react';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Wallet } from '../../api/console-api.js';
import { Field, TextInput } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { useMessages } from '../../messages/use-messages.js';
import { BudgetFields, LimitFields } from '../limits/limit-fields.js';
import { toLimitsBody, toLimitsDraft } from '../limits/limits-draft.js';
import { SubjectBudgets } from '../limits/subject-budgets.js';

/** How far a wallet may go below zero, when it counts as low, and what its calls are limited to; for administrators. */
export function WalletLimitsForm({
  wallet,
  onClose,
}: {
  readonly wallet: Wallet;
  readonly onClose: () => void;
}) {
  const { wallets: messages, done } = useMessages();
  const refresh = useRefresh();
  const [limit, setLimit] = useState(wallet.credit_limit);
  const [alertBelow, setAlertBelow] = useState(wallet.alert_below ?? '');
  const [limits, setLimits] = useState(() => toLimitsDraft(wallet));
  const submit = async () => {
    await api.patch('/api/v1/wallets/{id}', {
      path: { id: wallet.id },
      body: {
        // Billing sets it, and the audit log has it as a change of its own.
        credit_limit: limit.trim() === wallet.credit_limit ? undefined : limit.trim(),
        alert_below: alertBelow.trim() === '' ? null : alertBelow.trim(),
        ...toLimitsBody(limits),
      },
    });
    await refresh('/api/v1/wallets', '/api/v1/budgets');
  };
  return (
    <FormDialog
      title={messages.creditLimitTitle(wallet.name)}
      action={messages.creditLimitSave}
      done={done.saved(wallet.name)}
      onSubmit={submit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <Field label={messages.creditLimit} hint={messages.creditLimitHint} error={errorOf('credit_limit')}>
            <TextInput
              required
              inputMode="decimal"
              value={limit}
              onChange={(event) => setLimit(event.target.value)}
            />
          </Field>
          <Field label={messages.alertBelow} hint={messages.alertBelowHint} error={errorOf('alert_below')}>
            <TextInput
              inputMode="decimal"
              value={alertBelow}
              onChange={(event) => setAlertBelow(event.target.value)}
            />
          </Field>
          <LimitFields draft={limits} errorOf={errorOf} onChange={setLimits} />
          <BudgetFields draft={limits} errorOf={errorOf} onChange={setLimits} />
          <SubjectBudgets id={wallet.id} />
        </>
      )}
    </FormDialog>
  );
}
