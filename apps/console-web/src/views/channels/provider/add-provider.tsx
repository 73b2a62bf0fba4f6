import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, useRefresh } from '../../../api/api-query.js';
import { api } from '../../../api/client.js';
import type { Channel, ChannelType } from '../../../api/console-api.js';
import { Field, Select, TextInput } from '../../../components/field.js';
import { FormDialog } from '../../../components/form-dialog.js';
import { useMessages } from '../../../messages/use-messages.js';
import { type ChannelDraft, toChannelBody, toChannelDraft } from '../channel-draft.js';
import { ConnectionFields } from '../connection-fields.js';
import { SettingsFields } from '../settings-fields.js';
import { OfferDialog } from './offer-dialog.js';

/**
 * A provider in two steps: its key, then its models. The first makes a channel that is switched off, since the provider is
 * asked by a gateway, with the channel's own credential; whoever leaves before the end takes it away again.
 */
export function AddProvider({ onClose }: { readonly onClose: () => void }) {
  const { provider: messages } = useMessages();
  const types = useQuery({ ...apiQuery('/api/v1/channel-types'), staleTime: Infinity });
  const refresh = useRefresh();
  const [channel, setChannel] = useState<Channel>();
  const [draft, setDraft] = useState<ChannelDraft>();
  const [isConnected, setConnected] = useState(false);
  const leave = () => {
    onClose();
    if (!channel) return;
    void api
      .delete('/api/v1/channels/{id}', { path: { id: channel.id } })
      // Then it stays in the list, switched off.
      .catch(() => undefined)
      .then(() => refresh('/api/v1/channels'));
  };
  if (!types.data) return null;
  if (channel && isConnected) {
    return (
      <OfferDialog
        channel={channel}
        action={messages.create}
        onBack={() => setConnected(false)}
        onClose={leave}
        onDone={onClose}
      />
    );
  }
  return (
    <ConnectionForm
      types={types.data.data}
      channel={channel}
      draft={draft ?? { ...toChannelDraft(undefined, []), isEnabled: false }}
      onChange={setDraft}
      onClose={leave}
      onDone={(connected) => {
        setChannel(connected);
        setConnected(true);
      }}
    />
  );
}

interface ConnectionFormProps {
  readonly types: readonly ChannelType[];
  /** The channel of an earlier try. */
  readonly channel: Channel | undefined;
  readonly draft: ChannelDraft;
  readonly onChange: (draft: ChannelDraft) => void;
  readonly onClose: () => void;
  readonly onDone: (channel: Channel) => void;
}

/** Which provider, and the key to it. */
function ConnectionForm({ types, channel, draft, onChange, onClose, onDone }: ConnectionFormProps) {
  const { channels: messages, provider: texts } = useMessages();
  const [made, setMade] = useState(channel);
  const type = types.find(({ id }) => id === draft.type);
  const change = (part: Partial<ChannelDraft>) => onChange({ ...draft, ...part });
  const submit = async () => {
    const body = toChannelBody(draft, { fields: type?.settings ?? [], otherwise: messages.settingsWrong });
    const named = { ...body, name: body.name === '' ? draft.type : body.name };
    const path = made && { id: made.id };
    const saved = path
      ? await api.patch('/api/v1/channels/{id}', { path, body: named })
      : await api.post('/api/v1/channels', { body: { ...named, type: draft.type } });
    setMade(saved);
    onDone(saved);
  };
  return (
    <FormDialog
      title={texts.title}
      action={texts.fetch}
      onSubmit={submit}
      onClose={onClose}
      onDone={() => undefined}
    >
      {(errorOf) => (
        <>
          <Field label={messages.type} error={errorOf('type')}>
            <Select
              required
              disabled={made !== undefined}
              value={draft.type}
              onChange={(event) => change({ type: event.target.value })}
            >
              <option value="">{texts.chooseType}</option>
              {types.map((known) => (
                <option key={known.id} value={known.id}>
                  {known.title}
                </option>
              ))}
            </Select>
          </Field>
          <ConnectionFields
            channel={made}
            type={type}
            draft={draft}
            onChange={change}
            errorOf={(param) => errorOf(param)}
          />
          <SettingsFields
            fields={type?.settings ?? []}
            keptSecrets={made?.secret_settings ?? []}
            draft={draft.settings}
            onChange={(settings) => change({ settings })}
            errorOf={errorOf}
          />
          <Field label={messages.name} hint={texts.nameHint} error={errorOf('name')}>
            <TextInput
              placeholder={draft.type}
              value={draft.name}
              onChange={(event) => change({ name: event.target.value })}
            />
          </Field>
        </>
      )}
    </FormDialog>
  );
}
