import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Token, TokenWithKey } from '../../api/console-api.js';
import { useIsAdministrator } from '../../api/use-me.js';
import { useProjects } from '../../api/use-projects.js';
import { DateField } from '../../components/date-field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { type BoundChoice, type BoundField, CheckField, TextField } from '../../components/form-fields.js';
import { RowField } from '../../components/row-field.js';
import { type ApiForm, useApiForm } from '../../forms/use-api-form.js';
import { useMessages } from '../../messages/use-messages.js';
import { BudgetFields, LimitFields } from '../limits/limit-fields.js';
import { SubjectBudgets } from '../limits/subject-budgets.js';
import { PlaceFields } from './place-fields.js';
import { tokenSchema, type TokenTexts, toTokenTexts } from './token-schema.js';

interface TokenFormProps {
  /** The token to change; a new one without it. */
  readonly token?: Token;
  /** The project that a new one is for at first. */
  readonly projectId?: string;
  readonly onKey: (token: TokenWithKey) => void;
  readonly onClose: () => void;
}

export function TokenForm({ token, projectId, onKey, onClose }: TokenFormProps) {
  const { tokens: messages, actions, done } = useMessages();
  const refresh = useRefresh();
  const form = useApiForm({
    schema: tokenSchema,
    texts: toTokenTexts(token, projectId),
    send: async ({ enabled, ...rest }) => {
      const body = { ...rest, disabled: !enabled };
      if (token) await api.patch('/api/v1/tokens/{id}', { path: { id: token.id }, body });
      else onKey(await api.post('/api/v1/tokens', { body }));
      await refresh('/api/v1/tokens', '/api/v1/wallets', '/api/v1/budgets');
    },
    done: ({ name }) => (token ? done.saved(name) : done.created(name)),
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={token ? messages.editTitle(token.name) : messages.createTitle}
      action={token ? actions.save : actions.create}
      onClose={onClose}
    >
      <TextField {...form.field('name')} label={messages.name} required />
      {token ? <WalletField {...form.choice('wallet_id')} /> : <PlaceFields form={form} />}
      <BoundFields form={form} />
      <LimitFields field={form.field} />
      <BudgetFields field={form.field} />
      {token && <SubjectBudgets id={token.id} />}
      {token && <EnabledField {...form.field('enabled')} token={token} />}
    </FormDialog>
  );
}

/** What pays for a key that there is; those of a project stay there. */
function WalletField(choice: BoundChoice) {
  const { tokens: messages } = useMessages();
  const isOfProject = useProjects().some((project) => project.wallet_id === choice.value);
  if (isOfProject) return null;
  return <RowField {...choice} label={messages.wallet} path="/api/v1/wallets" />;
}

/** Whether the key works; fixed where somebody disabled it who may more than the reader. */
function EnabledField({ token, ...field }: BoundField & { readonly token: Token }) {
  const { tokens: messages } = useMessages();
  const isAdministrator = useIsAdministrator();
  const role = useProjects().find((project) => project.wallet_id === token.wallet_id)?.role;
  const isFixed =
    !isAdministrator &&
    (token.disabled_by === 'administrator' || (token.disabled_by === 'owner' && role === 'member'));
  return (
    <div className="flex flex-col gap-1.5">
      <CheckField {...field} label={messages.enabledField} disabled={isFixed} />
      {token.disabled_by && token.disabled_by !== 'user' && (
        <p className="text-muted text-xs">{messages.disabledBy[token.disabled_by]}</p>
      )}
    </div>
  );
}

/** What a key may be used for and from where, what it may spend, and until when. */
function BoundFields({ form }: { readonly form: Pick<ApiForm<TokenTexts>, 'field' | 'choice'> }) {
  const { tokens: messages, states } = useMessages();
  return (
    <>
      <TextField {...form.field('allowed_models')} label={messages.models} hint={messages.modelsHint} />
      <TextField {...form.field('allowed_ips')} label={messages.allowedIps} hint={messages.allowedIpsHint} />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          {...form.field('spending_quota')}
          label={messages.quotaField}
          placeholder={states.unlimited}
          inputMode="decimal"
        />
        <DateField
          {...form.choice('expires_at')}
          label={messages.expires}
          hint={messages.expiresHint}
          hasTime
        />
      </div>
      <TextField {...form.field('cache')} label={messages.cache} hint={messages.cacheHint} />
    </>
  );
}
