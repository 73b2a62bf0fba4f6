import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, useRefresh } from '../../../api/api-query.js';
import { api } from '../../../api/client.js';
import type { Channel, ChannelType } from '../../../api/console-api.js';
import { FormDialog } from '../../../components/form-dialog.js';
import { type BoundField, SelectField, TextField } from '../../../components/form-fields.js';
import { useApiForm } from '../../../forms/use-api-form.js';
import { useMessages } from '../../../messages/use-messages.js';
import { channelSchema, type ChannelTexts, toChannelTexts } from '../channel-schema.js';
import { ConnectionFields } from '../connection-fields.js';
import { SettingsFields } from '../settings-fields.js';
import { OfferDialog } from './offer-dialog.js';

/** Is drawn once the types are known. */
export function AddProvider({ onClose }: { readonly onClose: () => void }) {
  const types = useQuery({ ...apiQuery('/api/v1/channel-types'), staleTime: Infinity });
  return types.data && <ProviderSteps types={types.data.data} onClose={onClose} />;
}

interface ProviderStepsProps {
  readonly types: readonly ChannelType[];
  readonly onClose: () => void;
}

/**
 * A provider in two steps: its key, then its models. The first makes a channel that is switched off, since the provider is
 * asked by a gateway, with the channel's own credential; whoever leaves before the end takes it away again.
 */
function ProviderSteps({ types, onClose }: ProviderStepsProps) {
  const { provider: messages } = useMessages();
  const refresh = useRefresh();
  const [channel, setChannel] = useState<Channel>();
  const [isConnected, setConnected] = useState(false);
  const findType = (id: string) => types.find((known) => known.id === id);
  // Of both steps: what is written in the first is still there for whoever comes back.
  const form = useApiForm({
    schema: ({ type, base_url: baseUrl }: ChannelTexts) =>
      channelSchema({ type: findType(type), channel, unnamed: type }, baseUrl),
    texts: { ...toChannelTexts(undefined, types), enabled: false },
    send: async ({ type, ...body }) => {
      const saved = channel
        ? await api.patch('/api/v1/channels/{id}', { path: { id: channel.id }, body })
        : await api.post('/api/v1/channels', { body: { ...body, type } });
      setChannel(saved);
      setConnected(true);
    },
  });
  const leave = () => {
    onClose();
    if (!channel) return;
    void api
      .delete('/api/v1/channels/{id}', { path: { id: channel.id } })
      // Then it stays in the list, switched off.
      .catch(() => undefined)
      .then(() => refresh('/api/v1/channels'));
  };
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
  const type = findType(form.read('type'));
  return (
    <FormDialog form={form} title={messages.title} action={messages.fetch} onClose={leave}>
      <TypeField {...form.field('type')} types={types} isFixed={channel !== undefined} />
      <ConnectionFields channel={channel} type={type} field={form.field} baseUrl={form.read('base_url')} />
      <SettingsFields
        fields={type?.settings ?? []}
        keptSecrets={channel?.secret_settings ?? []}
        hasOthers={false}
        field={form.field}
        read={form.read}
      />
      <NameField {...form.field('name')} placeholder={type?.id} />
    </FormDialog>
  );
}

interface TypeFieldProps extends BoundField {
  readonly types: readonly ChannelType[];
  /** Whether the channel is there already, whose type stays. */
  readonly isFixed: boolean;
}

function TypeField({ types, isFixed, ...field }: TypeFieldProps) {
  const { provider } = useMessages();
  return (
    <SelectField {...field} label={provider.type} required disabled={isFixed}>
      <option value="">{provider.chooseType}</option>
      {types.map((known) => (
        <option key={known.id} value={known.id}>
          {known.title}
        </option>
      ))}
    </SelectField>
  );
}

function NameField(field: BoundField & { readonly placeholder: string | undefined }) {
  const { channels: messages, provider } = useMessages();
  return <TextField {...field} label={messages.name} hint={provider.nameHint} />;
}
