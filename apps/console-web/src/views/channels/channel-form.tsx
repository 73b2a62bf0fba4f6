import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Channel, ChannelType } from '../../api/console-api.js';
import { Checkbox, Field, Select, TextArea, TextInput } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { useMessages } from '../../messages/use-messages.js';
import { type ChannelDraft, TIME_LIMITS, toChannelBody, toChannelDraft } from './channel-draft.js';
import { LimitFields } from '../limits/limit-fields.js';
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
  const ownFields = findType(channel?.type ?? '')?.settings ?? [];
  const [draft, setDraft] = useState(() => toChannelDraft(channel, ownFields));
  const typeId = draft.type === '' ? (types[0]?.id ?? '') : draft.type;
  const type = findType(typeId);
  const fields = type?.settings ?? [];
  const change = (part: Partial<ChannelDraft>) => setDraft({ ...draft, ...part });
  const submit = async () => {
    const otherwise = `${messages.settingsOther} ${messages.settingsWrong}`;
    const body = toChannelBody(draft, { fields, otherwise });
    if (channel) await api.patch('/api/v1/channels/{id}', { path: { id: channel.id }, body });
    else await api.post('/api/v1/channels', { body: { ...body, type: typeId } });
    await refresh('/api/v1/channels', '/api/v1/system');
  };
  return (
    <FormDialog
      title={channel ? messages.editTitle(channel.name) : messages.createTitle}
      action={channel ? actions.save : actions.create}
      done={channel ? done.saved(draft.name) : done.created(draft.name)}
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
          <Field label={messages.type} error={errorOf('type')}>
            <Select
              disabled={channel !== undefined}
              value={typeId}
              onChange={(event) => change({ type: event.target.value })}
            >
              {types.map((known) => (
                <option key={known.id} value={known.id}>
                  {known.title}
                </option>
              ))}
            </Select>
          </Field>
          <ConnectionFields channel={channel} type={type} draft={draft} onChange={change} errorOf={errorOf} />
          <Field label={messages.models} hint={messages.modelsHint} error={errorOf('models')}>
            <TextArea
              rows={4}
              spellCheck={false}
              className="font-mono text-xs"
              value={draft.models}
              onChange={(event) => change({ models: event.target.value })}
            />
          </Field>
          <SettingsFields
            fields={fields}
            keptSecrets={channel?.secret_settings ?? []}
            draft={draft.settings}
            onChange={(settings) => change({ settings })}
            errorOf={errorOf}
          />
          <RoutingFields type={type} draft={draft} onChange={change} errorOf={errorOf} />
        </>
      )}
    </FormDialog>
  );
}

interface FieldsProps {
  readonly draft: ChannelDraft;
  readonly onChange: (part: Partial<ChannelDraft>) => void;
  readonly errorOf: (param: string) => string | undefined;
}

interface RoutingFieldsProps extends FieldsProps {
  readonly type: ChannelType | undefined;
}

/** When it is chosen, and how long it may take. */
function RoutingFields({ type, draft, onChange, errorOf }: RoutingFieldsProps) {
  const { channels: messages, routing } = useMessages();
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        {(['priority', 'weight'] as const).map((name) => (
          <Field
            key={name}
            label={messages[name]}
            hint={name === 'priority' ? messages.priorityHint : messages.weightHint}
            error={errorOf(name)}
          >
            <TextInput
              type="number"
              required
              value={draft[name]}
              onChange={(event) => onChange({ [name]: event.target.value })}
            />
          </Field>
        ))}
      </div>
      <div className="grid grid-cols-2 items-end gap-4">
        {TIME_LIMITS.map((name) => (
          <Field key={name} label={messages.timeouts[name]} error={errorOf(`timeout.${name}`)}>
            <TextInput
              placeholder={messages.timeoutExample}
              value={draft.timeout[name] ?? ''}
              onChange={(event) => onChange({ timeout: { ...draft.timeout, [name]: event.target.value } })}
            />
          </Field>
        ))}
      </div>
      <Field label={routing.onAbort} error={errorOf('on_abort')}>
        <Select
          value={draft.onAbort ?? ''}
          onChange={(event) => onChange({ onAbort: event.target.value as ChannelDraft['onAbort'] })}
        >
          <option value="">{routing.onAbortDefault}</option>
          {Object.entries(routing.onAbortChoices).map(([choice, name]) => (
            <option key={choice} value={choice}>
              {name}
            </option>
          ))}
        </Select>
      </Field>
      {(type?.native_batches === true || draft.batches === 'native') && (
        <BatchesField draft={draft} onChange={onChange} errorOf={errorOf} />
      )}
      <Field label={routing.probe} hint={routing.probeHint} error={errorOf('probe')}>
        <TextInput value={draft.probe} onChange={(event) => onChange({ probe: event.target.value })} />
      </Field>
      <LimitFields draft={draft.limits} errorOf={errorOf} onChange={(limits) => onChange({ limits })} />
      <Checkbox
        label={messages.enabled}
        checked={draft.isEnabled}
        onChange={(event) => onChange({ isEnabled: event.target.checked })}
      />
    </>
  );
}

/** Who carries out lines of batches; shown where it can be the provider. */
function BatchesField({ draft, onChange, errorOf }: FieldsProps) {
  const { routing } = useMessages();
  return (
    <Field label={routing.batches} hint={routing.batchesHint} error={errorOf('batches')}>
      <Select
        value={draft.batches}
        onChange={(event) => onChange({ batches: event.target.value as ChannelDraft['batches'] })}
      >
        {Object.entries(routing.batchesChoices).map(([choice, name]) => (
          <option key={choice} value={choice}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  );
}
