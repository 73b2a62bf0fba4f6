import { useQuery } from '@tanstack/react-query';
import { apiQuery, useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Channel, ChannelType } from '../../api/console-api.js';
import { FormDialog } from '../../components/form-dialog.js';
import { CheckField, SelectField, TextAreaField, TextField } from '../../components/form-fields.js';
import { type ApiForm, useApiForm } from '../../forms/use-api-form.js';
import { useMessages } from '../../messages/use-messages.js';
import { LimitFields } from '../limits/limit-fields.js';
import {
  ABORT_POLICIES,
  BATCH_CARRIERS,
  channelSchema,
  type ChannelTexts,
  DEFAULT_TIMEOUTS,
  TIME_LIMITS,
  toChannelTexts,
} from './channel-schema.js';
import { ConnectionFields } from './connection-fields.js';
import { SettingsFields } from './settings-fields.js';

interface ChannelFormProps {
  /** The channel to change; a new one without it. */
  readonly channel?: Channel;
  readonly onClose: () => void;
}

/** Is drawn once the types are known: the form of a channel depends on its own. */
export function ChannelForm(props: ChannelFormProps) {
  const types = useQuery({ ...apiQuery('/api/v1/channel-types'), staleTime: Infinity });
  return types.data && <KnownChannelForm {...props} types={types.data.data} />;
}

interface KnownChannelFormProps extends ChannelFormProps {
  readonly types: readonly ChannelType[];
}

function KnownChannelForm({ channel, onClose, types }: KnownChannelFormProps) {
  const { channels: messages, actions, done } = useMessages();
  const refresh = useRefresh();
  const findType = (id: string) => types.find((known) => known.id === id);
  const atFirst = toChannelTexts(channel, types, types[0]?.id);
  const form = useApiForm({
    schema: (texts: ChannelTexts) => channelSchema({ type: findType(texts.type), channel }, texts.base_url),
    texts: atFirst,
    send: async ({ type: typeId, ...body }) => {
      if (channel) await api.patch('/api/v1/channels/{id}', { path: { id: channel.id }, body });
      else await api.post('/api/v1/channels', { body: { ...body, type: typeId } });
      await refresh('/api/v1/channels', '/api/v1/system');
    },
    done: ({ name }) => (channel ? done.saved(name) : done.created(name)),
    onDone: onClose,
  });
  const type = findType(form.read('type'));
  return (
    <FormDialog
      form={form}
      title={channel ? messages.editTitle(channel.name) : messages.createTitle}
      action={channel ? actions.save : actions.create}
      onClose={onClose}
    >
      <TextField {...form.field('name')} label={messages.name} required />
      <SelectField {...form.field('type')} label={messages.type} disabled={channel !== undefined}>
        {types.map((known) => (
          <option key={known.id} value={known.id}>
            {messages.typeNames[known.id] ?? known.title}
          </option>
        ))}
      </SelectField>
      <ConnectionFields channel={channel} type={type} field={form.field} baseUrl={form.read('base_url')} />
      <TextAreaField
        {...form.field('models')}
        label={messages.models}
        hint={messages.modelsHint}
        rows={4}
        spellCheck={false}
        className="field-sizing-content max-h-72 min-h-24 touch:min-h-24 font-mono text-xs"
      />
      <SettingsFields
        fields={type?.settings ?? []}
        keptSecrets={channel?.secret_settings ?? []}
        hasOthers={atFirst.other_settings !== ''}
        field={form.field}
        read={form.read}
      />
      <RoutingFields type={type} form={form} />
      <LimitFields field={form.field} />
      <CheckField {...form.field('enabled')} label={messages.enabled} />
    </FormDialog>
  );
}

interface RoutingFieldsProps {
  readonly type: ChannelType | undefined;
  readonly form: Pick<ApiForm<ChannelTexts>, 'field' | 'read'>;
}

/** When it is chosen, and how long it may take. */
function RoutingFields({ type, form }: RoutingFieldsProps) {
  const { channels: messages, routing } = useMessages();
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        {(['priority', 'weight'] as const).map((name) => (
          <TextField
            key={name}
            {...form.field(name)}
            label={messages[name]}
            hint={name === 'priority' ? messages.priorityHint : messages.weightHint}
            inputMode="numeric"
            required
          />
        ))}
      </div>
      <fieldset className="grid grid-cols-2 items-end gap-4">
        <legend className="mb-2 font-semibold">{messages.timeoutsTitle}</legend>
        {TIME_LIMITS.map((name) => (
          <TextField
            key={name}
            {...form.field(`timeout.${name}`)}
            label={messages.timeouts[name]}
            placeholder={messages.timeoutDefault(DEFAULT_TIMEOUTS[name])}
          />
        ))}
      </fieldset>
      <SelectField {...form.field('on_abort')} label={routing.onAbort}>
        <option value="">{routing.onAbortDefault}</option>
        {ABORT_POLICIES.map((policy) => (
          <option key={policy} value={policy}>
            {routing.onAbortChoices[policy]}
          </option>
        ))}
      </SelectField>
      {/* Shown where it can be the provider. */}
      {(type?.native_batches === true || form.read('batches') === 'native') && (
        <SelectField {...form.field('batches')} label={routing.batches} hint={routing.batchesHint}>
          {BATCH_CARRIERS.map((carrier) => (
            <option key={carrier} value={carrier}>
              {routing.batchesChoices[carrier]}
            </option>
          ))}
        </SelectField>
      )}
      <TextField {...form.field('probe')} label={routing.probe} hint={routing.probeHint} />
    </>
  );
}
