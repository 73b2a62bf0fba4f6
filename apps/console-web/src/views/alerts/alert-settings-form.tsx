import { useState } from 'react';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { AlertSettings } from '../../api/console-api.js';
import { Checkbox, Field, TextInput } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { useMessages } from '../../messages/use-messages.js';
import {
  ALERT_KINDS,
  type AlertDraft,
  THRESHOLDS,
  type ThresholdKind,
  toAlertBody,
  toAlertDraft,
} from './settings-draft.js';

interface AlertSettingsFormProps {
  readonly settings: AlertSettings;
  readonly onClose: () => void;
}

/** What operators are alerted of, and where to. */
export function AlertSettingsForm({ settings, onClose }: AlertSettingsFormProps) {
  const { alerts: messages, actions, done } = useMessages();
  const refresh = useRefresh();
  const [draft, setDraft] = useState(() => toAlertDraft(settings));
  const change = (part: Partial<AlertDraft>) => setDraft({ ...draft, ...part });
  const submit = async () => {
    await api.patch('/api/v1/alerts/settings', { body: toAlertBody(draft) });
    await refresh('/api/v1/alerts');
  };
  return (
    <FormDialog
      title={messages.settings}
      action={actions.save}
      done={done.saved(messages.settings)}
      onSubmit={submit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <RuleFields draft={draft} onChange={change} errorOf={errorOf} />
          <WebhookFields settings={settings} draft={draft} onChange={change} errorOf={errorOf} />
          <EmailFields settings={settings} draft={draft} onChange={change} errorOf={errorOf} />
        </>
      )}
    </FormDialog>
  );
}

interface FieldsProps {
  readonly draft: AlertDraft;
  readonly onChange: (part: Partial<AlertDraft>) => void;
  readonly errorOf: (param: string) => string | undefined;
}

function RuleFields({ draft, onChange, errorOf }: FieldsProps) {
  const { alerts: messages } = useMessages();
  const { enabled, thresholds } = draft;
  const toThreshold = (kind: ThresholdKind) => (
    <Field label={messages.thresholds[kind]} error={errorOf(`rules.${kind}.${THRESHOLDS[kind]}`)}>
      <TextInput
        inputMode={kind === 'wallet_balance' ? 'decimal' : 'numeric'}
        value={thresholds[kind]}
        onChange={(event) => onChange({ thresholds: { ...thresholds, [kind]: event.target.value } })}
      />
    </Field>
  );
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 font-semibold">{messages.rules}</legend>
      {ALERT_KINDS.map((kind) => (
        <div key={kind} className="flex flex-col gap-2">
          <Checkbox
            label={messages.ruleTexts[kind]}
            checked={enabled[kind]}
            onChange={(event) => onChange({ enabled: { ...enabled, [kind]: event.target.checked } })}
          />
          {enabled[kind] && kind in THRESHOLDS && (
            <div className="pl-6">{toThreshold(kind as ThresholdKind)}</div>
          )}
        </div>
      ))}
    </fieldset>
  );
}

interface AddressFieldsProps extends FieldsProps {
  readonly settings: AlertSettings;
}

function WebhookFields({ settings, draft, onChange, errorOf }: AddressFieldsProps) {
  const { alerts: messages } = useMessages();
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 font-semibold">{messages.vias.webhook}</legend>
      <Field
        label={messages.webhookUrl}
        hint={useKeptHint(settings.webhook, messages.webhookHint)}
        error={errorOf('webhook_url')}
      >
        <TextInput
          type="url"
          autoComplete="off"
          value={draft.webhookUrl}
          onChange={(event) => onChange({ webhookUrl: event.target.value })}
        />
      </Field>
      {settings.webhook?.source === 'console' && (
        <Checkbox
          label={messages.dropWebhook}
          checked={draft.dropsWebhook}
          onChange={(event) => onChange({ dropsWebhook: event.target.checked })}
        />
      )}
    </fieldset>
  );
}

function EmailFields({ settings, draft, onChange, errorOf }: AddressFieldsProps) {
  const { alerts: messages } = useMessages();
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 font-semibold">{messages.vias.email}</legend>
      <Field
        label={messages.smtpUrl}
        hint={useKeptHint(settings.email, messages.smtpHint)}
        error={errorOf('smtp_url')}
      >
        <TextInput
          type="password"
          autoComplete="off"
          value={draft.smtpUrl}
          onChange={(event) => onChange({ smtpUrl: event.target.value })}
        />
      </Field>
      {settings.email?.source === 'console' && (
        <Checkbox
          label={messages.dropEmail}
          checked={draft.dropsEmail}
          onChange={(event) => onChange({ dropsEmail: event.target.checked })}
        />
      )}
      <Field label={messages.emailFrom} hint={messages.emailFromHint} error={errorOf('email_from')}>
        <TextInput
          value={draft.emailFrom}
          onChange={(event) => onChange({ emailFrom: event.target.value })}
        />
      </Field>
      <Field label={messages.emailTo} hint={messages.emailToHint} error={errorOf('email_to')}>
        <TextInput value={draft.emailTo} onChange={(event) => onChange({ emailTo: event.target.value })} />
      </Field>
    </fieldset>
  );
}

/** What an address may look like; of one that is set, where it leads. */
function useKeptHint(set: AlertSettings['webhook'], example: string): string {
  const { alerts: messages } = useMessages();
  return set === null ? example : messages.addressKept(set.address);
}
