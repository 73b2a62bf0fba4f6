import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { AlertSettings } from '../../api/console-api.js';
import { FormDialog } from '../../components/form-dialog.js';
import { CheckField, TextAreaField, TextField } from '../../components/form-fields.js';
import { type ApiForm, useApiForm } from '../../forms/use-api-form.js';
import { useMessages } from '../../messages/use-messages.js';
import { ALERT_KINDS, alertSchema, type AlertTexts, THRESHOLDS, toAlertTexts } from './settings-schema.js';

interface AlertSettingsFormProps {
  readonly settings: AlertSettings;
  readonly onClose: () => void;
}

/** What operators are alerted of, and where to. */
export function AlertSettingsForm({ settings, onClose }: AlertSettingsFormProps) {
  const { alerts: messages, actions, done } = useMessages();
  const refresh = useRefresh();
  const form = useApiForm({
    schema: alertSchema,
    texts: toAlertTexts(settings),
    send: async (body) => {
      await api.patch('/api/v1/alerts/settings', { body });
      await refresh('/api/v1/alerts');
    },
    done: () => done.alertsSaved,
    onDone: onClose,
  });
  return (
    <FormDialog form={form} title={messages.settings} action={actions.save} onClose={onClose}>
      <RuleFields form={form} />
      <WebhookFields form={form} settings={settings} />
      <EmailFields form={form} settings={settings} />
    </FormDialog>
  );
}

interface FieldsProps {
  readonly form: Pick<ApiForm<AlertTexts>, 'field' | 'read'>;
}

function RuleFields({ form }: FieldsProps) {
  const { alerts: messages } = useMessages();
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 font-semibold">{messages.rules}</legend>
      {ALERT_KINDS.map((kind) => (
        <div key={kind} className="flex flex-col gap-2">
          <CheckField {...form.field(`rules.${kind}.enabled`)} label={messages.ruleTexts[kind]} />
          {kind !== 'budget' && kind !== 'ledger_drift' && form.read(`rules.${kind}.enabled`) && (
            <div className="pl-6">
              <TextField
                {...form.field(THRESHOLDS[kind])}
                label={messages.thresholds[kind]}
                inputMode={kind === 'wallet_balance' ? 'decimal' : 'numeric'}
              />
            </div>
          )}
        </div>
      ))}
    </fieldset>
  );
}

interface AddressFieldsProps extends FieldsProps {
  readonly settings: AlertSettings;
}

function WebhookFields({ form, settings }: AddressFieldsProps) {
  const { alerts: messages } = useMessages();
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 font-semibold">{messages.vias.webhook}</legend>
      <TextField
        {...form.field('webhook_url')}
        label={messages.webhookUrl}
        hint={useKeptHint(settings.webhook, messages.webhookHint)}
        type="url"
        autoComplete="off"
      />
      {settings.webhook?.source === 'console' && (
        <CheckField {...form.field('drops_webhook')} label={messages.dropWebhook} />
      )}
    </fieldset>
  );
}

function EmailFields({ form, settings }: AddressFieldsProps) {
  const { alerts: messages } = useMessages();
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="mb-2 font-semibold">{messages.vias.email}</legend>
      <TextField
        {...form.field('smtp_url')}
        label={messages.smtpUrl}
        hint={useKeptHint(settings.email, messages.smtpHint)}
        type="password"
        autoComplete="off"
      />
      {settings.email?.source === 'console' && (
        <CheckField {...form.field('drops_email')} label={messages.dropEmail} />
      )}
      <TextField {...form.field('email_from')} label={messages.emailFrom} hint={messages.emailFromHint} />
      <TextAreaField
        {...form.field('email_to')}
        label={messages.emailTo}
        hint={messages.emailToHint}
        inputMode="email"
        autoComplete="off"
        spellCheck={false}
        rows={3}
        className="field-sizing-content max-h-60 min-h-20 touch:min-h-20"
      />
    </fieldset>
  );
}

/** What an address may look like; of one that is set, where it leads. */
function useKeptHint(set: AlertSettings['webhook'], example: string): string {
  const { alerts: messages } = useMessages();
  return set === null ? example : messages.addressKept(set.address);
}
