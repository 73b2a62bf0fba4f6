import { useState } from 'react';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Channel, System } from '../../api/console-api.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { Field, TextInput } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { Table } from '../../components/table.js';
import { useMessages } from '../../messages/use-messages.js';

interface ChannelKeysCardProps {
  readonly channel: Channel;
  /** What processes leave out of it, once that is known. */
  readonly health: System['channels'][number] | undefined;
}

type ChannelKey = Channel['keys'][number];

/** The provider's keys that calls take turns at, by their ends: what a key is was never told to the page. */
export function ChannelKeysCard({ channel, health }: ChannelKeysCardProps) {
  const { channelKeys: messages } = useMessages();
  const [isAdding, setAdding] = useState(false);
  const isResting = ({ hint }: ChannelKey) => health?.resting.some(({ key }) => key === hint) === true;
  return (
    <Card title={messages.title} note={messages.text}>
      {channel.keys.length === 0 && <p className="text-muted">{messages.none}</p>}
      {channel.keys.length > 0 && (
        <Table
          caption={messages.title}
          rows={channel.keys.map((key, place) => ({ ...key, place }))}
          keyOf={({ id, place }) => id ?? String(place)}
          columns={[
            { title: messages.key, cell: ({ hint }) => <code className="font-mono text-xs">{hint}</code> },
            {
              title: messages.state,
              cell: (key) =>
                isResting(key) ? (
                  <Badge tone="warn">{messages.resting}</Badge>
                ) : (
                  <Badge tone="good">{messages.inUse}</Badge>
                ),
            },
            {
              title: '',
              isNumber: true,
              cell: (key) => <RemoveKey channel={channel} channelKey={key} />,
            },
          ]}
        />
      )}
      <Button className="mt-3" onClick={() => setAdding(true)}>
        {messages.add}
      </Button>
      {isAdding && <AddKeyForm channel={channel} onClose={() => setAdding(false)} />}
    </Card>
  );
}

/** Keys that were given as one list are only replaced together, in the channel's form. */
function RemoveKey({
  channel,
  channelKey: { id, hint },
}: {
  readonly channel: Channel;
  readonly channelKey: ChannelKey;
}) {
  const { channelKeys: messages, done } = useMessages();
  const refresh = useRefresh();
  const [isAsking, setAsking] = useState(false);
  if (id === null) return <span className="text-muted text-xs">{messages.together}</span>;
  return (
    <div role="group" aria-label={messages.actionsFor(hint)}>
      <Button kind="quiet" isSmall onClick={() => setAsking(true)}>
        {messages.remove}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={messages.removeTitle(hint)}
          text={messages.removeText}
          action={messages.remove}
          done={done.removed(hint)}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            const path = { id: channel.id, key_id: id };
            await api.delete('/api/v1/channels/{id}/keys/{key_id}', { path });
            await refresh('/api/v1/channels', '/api/v1/system');
          }}
        />
      )}
    </div>
  );
}

function AddKeyForm({ channel, onClose }: { readonly channel: Channel; readonly onClose: () => void }) {
  const { channelKeys: messages, channels, done } = useMessages();
  const refresh = useRefresh();
  const [apiKey, setApiKey] = useState('');
  const submit = async () => {
    const body = { api_key: apiKey.trim() };
    await api.post('/api/v1/channels/{id}/keys', { path: { id: channel.id }, body });
    await refresh('/api/v1/channels', '/api/v1/system');
  };
  return (
    <FormDialog
      title={messages.add}
      action={messages.add}
      done={done.saved(channel.name)}
      onSubmit={submit}
      onClose={onClose}
    >
      {(errorOf) => (
        <Field label={channels.apiKey} hint={channels.apiKeyHint} error={errorOf('api_key')}>
          <TextInput
            type="password"
            autoComplete="off"
            required
            value={apiKey}
            onChange={(event) => setApiKey(event.target.value)}
          />
        </Field>
      )}
    </FormDialog>
  );
}
