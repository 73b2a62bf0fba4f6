import * as z from 'zod/mini';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Wallet } from '../../api/console-api.js';
import { FormDialog } from '../../components/form-dialog.js';
import { TextField } from '../../components/form-fields.js';
import { orNothing, usd } from '../../forms/texts.js';
import { useApiForm } from '../../forms/use-api-form.js';
import { useMessages } from '../../messages/use-messages.js';
import { BudgetFields, LimitFields } from '../limits/limit-fields.js';
import { budgetsSchema, limitsSchema, toBudgetTexts, toLimitTexts } from '../limits/limits-schema.js';
import { SubjectBudgets } from '../limits/subject-budgets.js';

const schema = z.object({
  credit_limit: usd,
  alert_below: orNothing(usd, null),
  limits: limitsSchema,
  budgets: budgetsSchema,
});

interface WalletLimitsFormProps {
  readonly wallet: Wallet;
  readonly onClose: () => void;
}

/** How far a wallet may go below zero, when it counts as low, and what its calls are limited to; for administrators. */
export function WalletLimitsForm({ wallet, onClose }: WalletLimitsFormProps) {
  const { wallets: messages, done } = useMessages();
  const refresh = useRefresh();
  const form = useApiForm({
    schema,
    texts: {
      credit_limit: wallet.credit_limit,
      alert_below: wallet.alert_below ?? '',
      limits: toLimitTexts(wallet),
      budgets: toBudgetTexts(wallet),
    },
    send: async ({ credit_limit: limit, ...rest }) => {
      // Billing sets it, and the audit log has it as a change of its own.
      const creditLimit = limit === wallet.credit_limit ? undefined : limit;
      const body = { ...rest, credit_limit: creditLimit };
      await api.patch('/api/v1/wallets/{id}', { path: { id: wallet.id }, body });
      await refresh('/api/v1/wallets', '/api/v1/budgets');
    },
    done: () => done.saved(wallet.name),
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={messages.creditLimitTitle(wallet.name)}
      action={messages.creditLimitSave}
      onClose={onClose}
    >
      <TextField
        {...form.field('credit_limit')}
        label={messages.creditLimitField}
        hint={messages.creditLimitHint}
        required
        inputMode="decimal"
      />
      <TextField
        {...form.field('alert_below')}
        label={messages.alertBelow}
        hint={messages.alertBelowHint}
        inputMode="decimal"
      />
      <LimitFields field={form.field} />
      <BudgetFields field={form.field} />
      <SubjectBudgets id={wallet.id} />
    </FormDialog>
  );
}
