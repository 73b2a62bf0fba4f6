import { useState } from 'react';
import type { Channel, System } from '../../api/console-api.js';
import { useAttempts } from '../../api/use-attempts.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { Table } from '../../components/table.js';
import { useMessages } from '../../messages/use-messages.js';
import { AddKeyForm } from './add-key-form.js';
import { KeyActions } from './channel-key-actions.js';
import { type ChannelKey, findRefusal, hasNoKeyLeft } from './channel-keys.js';

interface ChannelKeysCardProps {
  readonly channel: Channel;
  /** What processes leave out of it, once that is known. */
  readonly health: System['channels'][number] | undefined;
}

/** The provider's keys that calls take turns at, by their ends: what a key is was never told to the page. */
export function ChannelKeysCard({ channel, health }: ChannelKeysCardProps) {
  const { channelKeys: messages } = useMessages();
  const [isAdding, setAdding] = useState(false);
  const parts = useAttempts(channel.id).data?.channels[0]?.parts ?? [];
  const isResting = ({ hint }: ChannelKey) => health?.resting.some(({ key }) => key === hint) === true;
  const stateOf = (key: ChannelKey) => (
    <KeyState channelKey={key} isResting={isResting(key)} refusal={findRefusal(parts, key)} />
  );
  return (
    <Card title={messages.title} note={messages.text}>
      {channel.keys.length === 0 && <p className="text-muted">{messages.none}</p>}
      {hasNoKeyLeft(channel) && (
        <p role="status" className="bg-warn-soft text-warn mb-3 rounded-lg px-3 py-2">
          {messages.allDisabled}
        </p>
      )}
      {channel.keys.length > 0 && (
        <Table
          caption={messages.title}
          rows={channel.keys.map((key, place) => ({ ...key, place }))}
          keyOf={({ id, place }) => id ?? String(place)}
          columns={[
            {
              header: messages.key,
              cell: ({ row: { original: key } }) => (
                <>
                  <code className="font-mono text-xs whitespace-nowrap">{key.hint}</code>
                  {key.id === null && <span className="text-muted block text-xs">{messages.together}</span>}
                  <span className="mt-1 block @sm:hidden">{stateOf(key)}</span>
                </>
              ),
            },
            {
              header: messages.state,
              meta: { hideOnPhones: true },
              cell: ({ row: { original: key } }) => stateOf(key),
            },
            {
              id: 'actions',
              header: '',
              meta: { isNumber: true },
              cell: ({ row: { original: key } }) => <KeyActions channel={channel} channelKey={key} />,
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

interface KeyStateProps {
  readonly channelKey: ChannelKey;
  /** Whether a process leaves it out for the time being. */
  readonly isResting: boolean;
  readonly refusal: ReturnType<typeof findRefusal>;
}

function KeyState({ channelKey: { enabled }, isResting, refusal }: KeyStateProps) {
  const { channelKeys: messages, states } = useMessages();
  if (!enabled) return <Badge>{states.disabled}</Badge>;
  if (refusal === 'now') return <Badge tone="bad">{messages.refused}</Badge>;
  if (isResting) return <Badge tone="warn">{messages.resting}</Badge>;
  if (refusal === 'earlier') return <Badge>{messages.refusedEarlier}</Badge>;
  return <Badge tone="good">{messages.inUse}</Badge>;
}
