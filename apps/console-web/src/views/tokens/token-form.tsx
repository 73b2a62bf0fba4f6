import { useState } from 'react';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Token, TokenWithKey } from '../../api/console-api.js';
import type { BodyOf } from '../../api/routes.js';
import { useIsAdministrator } from '../../api/use-me.js';
import { Checkbox, Field, TextInput } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { RowPicker } from '../../components/row-picker.js';
import { useProjects } from '../../api/use-projects.js';
import { useMessages } from '../../messages/use-messages.js';
import { BudgetFields, LimitFields } from '../limits/limit-fields.js';
import { type LimitsDraft, toLimitsBody, toLimitsDraft } from '../limits/limits-draft.js';
import { SubjectBudgets } from '../limits/subject-budgets.js';
import { type KeyPlace, PlaceFields } from './place-fields.js';

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
  const [draft, setDraft] = useState(() => toDraft(token, projectId));
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part });
  const submit = async () => {
    const body = toBody(draft);
    if (token) await api.patch('/api/v1/tokens/{id}', { path: { id: token.id }, body });
    else onKey(await api.post('/api/v1/tokens', { body: { ...body, ...toPlace(draft) } }));
    await refresh('/api/v1/tokens', '/api/v1/wallets', '/api/v1/budgets');
  };
  return (
    <FormDialog
      title={token ? messages.editTitle(token.name) : messages.createTitle}
      action={token ? actions.save : actions.create}
      done={token ? done.saved(draft.name) : done.created(draft.name)}
      onSubmit={submit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <Field label={messages.name} error={errorOf('name')}>
            <TextInput
              required
              value={draft.name}
              onChange={(event) => change({ name: event.target.value })}
            />
          </Field>
          {token ? (
            <WalletField draft={draft} onChange={change} errorOf={errorOf} />
          ) : (
            <PlaceFields place={draft} onChange={change} errorOf={errorOf} />
          )}
          <Field label={messages.models} hint={messages.modelsHint} error={errorOf('allowed_models')}>
            <TextInput value={draft.models} onChange={(event) => change({ models: event.target.value })} />
          </Field>
          <Field label={messages.allowedIps} hint={messages.allowedIpsHint} error={errorOf('allowed_ips')}>
            <TextInput
              value={draft.allowedIps}
              onChange={(event) => change({ allowedIps: event.target.value })}
            />
          </Field>
          <BoundFields draft={draft} onChange={change} errorOf={errorOf} />
          <Field label={messages.cache} hint={messages.cacheHint} error={errorOf('cache')}>
            <TextInput value={draft.cache} onChange={(event) => change({ cache: event.target.value })} />
          </Field>
          <LimitFields draft={draft.limits} errorOf={errorOf} onChange={(limits) => change({ limits })} />
          <BudgetFields draft={draft.limits} errorOf={errorOf} onChange={(limits) => change({ limits })} />
          {token && <SubjectBudgets id={token.id} />}
          {token && <DisabledField token={token} draft={draft} onChange={change} errorOf={errorOf} />}
        </>
      )}
    </FormDialog>
  );
}

interface PartProps {
  readonly draft: Draft;
  readonly onChange: (part: Partial<Draft>) => void;
  readonly errorOf: (param: string) => string | undefined;
}

/** What pays for a key that there is; those of a project stay there. */
function WalletField({ draft, onChange, errorOf }: PartProps) {
  const { tokens: messages } = useMessages();
  const isOfProject = useProjects().some((project) => project.wallet_id === draft.walletId);
  if (isOfProject) return null;
  return (
    <Field label={messages.wallet} error={errorOf('wallet_id')}>
      <RowPicker
        path="/api/v1/wallets"
        value={draft.walletId}
        onPick={(walletId) => onChange({ walletId })}
      />
    </Field>
  );
}

/** Whether the key is disabled; fixed where somebody disabled it who may more than the reader. */
function DisabledField({ token, draft, onChange }: PartProps & { readonly token: Token }) {
  const { tokens: messages } = useMessages();
  const isAdministrator = useIsAdministrator();
  const role = useProjects().find((project) => project.wallet_id === token.wallet_id)?.role;
  const isFixed =
    !isAdministrator &&
    (token.disabled_by === 'administrator' || (token.disabled_by === 'owner' && role === 'member'));
  return (
    <div className="flex flex-col gap-1.5">
      <Checkbox
        label={messages.disabledField}
        checked={draft.isDisabled}
        disabled={isFixed}
        onChange={(event) => onChange({ isDisabled: event.target.checked })}
      />
      {token.disabled_by && token.disabled_by !== 'user' && (
        <p className="text-muted text-xs">{messages.disabledBy[token.disabled_by]}</p>
      )}
    </div>
  );
}

/** What a key may spend, and until when. */
function BoundFields({ draft, onChange, errorOf }: PartProps) {
  const { tokens: messages } = useMessages();
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label={messages.quota} hint={messages.quotaHint} error={errorOf('spending_quota')}>
        <TextInput
          inputMode="decimal"
          value={draft.quota}
          onChange={(event) => onChange({ quota: event.target.value })}
        />
      </Field>
      <Field label={messages.expires} hint={messages.expiresHint} error={errorOf('expires_at')}>
        <TextInput
          type="datetime-local"
          value={draft.expiresAt}
          onChange={(event) => onChange({ expiresAt: event.target.value })}
        />
      </Field>
    </div>
  );
}

/** A token as it is written in the form. */
interface Draft extends KeyPlace {
  readonly name: string;
  readonly models: string;
  /** Addresses and networks, separated by commas; empty for any. */
  readonly allowedIps: string;
  readonly quota: string;
  /** Local time, as the browser's input has it. */
  readonly expiresAt: string;
  /** Such as "60s"; empty for none. */
  readonly cache: string;
  readonly limits: LimitsDraft;
  readonly isDisabled: boolean;
}

function toDraft(token: Token | undefined, projectId = ''): Draft {
  return {
    projectId,
    userId: '',
    name: token?.name ?? '',
    walletId: token?.wallet_id ?? '',
    models: token?.allowed_models?.join(', ') ?? '',
    allowedIps: token?.allowed_ips?.join(', ') ?? '',
    quota: token?.spending_quota ?? '',
    expiresAt: token?.expires_at ? toLocalInput(new Date(token.expires_at)) : '',
    cache: token?.cache ?? '',
    limits: toLimitsDraft(token),
    isDisabled: token?.disabled ?? false,
  };
}

/** What only a new key is told. */
function toPlace({ projectId, userId }: Draft): Pick<NewToken, 'project_id' | 'user_id'> {
  return {
    project_id: projectId === '' ? undefined : projectId,
    user_id: userId === '' ? undefined : userId,
  };
}

type NewToken = BodyOf<'/api/v1/tokens', 'post'>;

function toBody(draft: Draft): Omit<NewToken, 'project_id' | 'user_id'> {
  const slugs = listNames(draft.models);
  const addresses = listNames(draft.allowedIps);
  return {
    name: draft.name,
    wallet_id: draft.walletId === '' ? undefined : draft.walletId,
    allowed_models: slugs.length > 0 ? slugs : null,
    allowed_ips: addresses.length > 0 ? addresses : null,
    spending_quota: draft.quota === '' ? null : draft.quota.trim(),
    expires_at: draft.expiresAt === '' ? null : new Date(draft.expiresAt).toISOString(),
    cache: draft.cache.trim() === '' ? null : draft.cache.trim(),
    ...toLimitsBody(draft.limits),
    disabled: draft.isDisabled,
  };
}

/** What is separated by commas or spaces. */
function listNames(text: string): string[] {
  return text.split(/[\s,]+/).filter((name) => name !== '');
}

function toLocalInput(moment: Date): string {
  const shifted = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}
