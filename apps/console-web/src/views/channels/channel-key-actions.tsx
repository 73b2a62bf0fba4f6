import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Channel } from '../../api/console-api.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { useSentence } from '../../components/error-notice.js';
import { showToast } from '../../components/show-toast.js';
import { useMessages } from '../../messages/use-messages.js';
import { type ChannelKey, isLastEnabled } from './channel-keys.js';

interface KeyActionsProps {
  readonly channel: Channel;
  readonly channelKey: ChannelKey;
}

/** Enabling is done at once, what takes a key out of use is asked for. Keys of one list are only removed together. */
export function KeyActions({ channel, channelKey }: KeyActionsProps) {
  const { channelKeys: messages } = useMessages();
  const [asked, setAsked] = useState<'disable' | 'remove'>();
  const close = () => setAsked(undefined);
  return (
    <div
      role="group"
      aria-label={messages.actionsFor(channelKey.hint)}
      className="flex items-center justify-end"
    >
      {channelKey.enabled ? (
        <Button kind="quiet" isSmall onClick={() => setAsked('disable')}>
          {messages.disable}
        </Button>
      ) : (
        <EnableKey channel={channel} channelKey={channelKey} />
      )}
      {channelKey.id !== null && (
        <Button kind="quiet" isSmall onClick={() => setAsked('remove')}>
          {messages.remove}
        </Button>
      )}
      {asked === 'disable' && <DisableKey channel={channel} channelKey={channelKey} onClose={close} />}
      {asked === 'remove' && <RemoveKey channel={channel} channelKey={channelKey} onClose={close} />}
    </div>
  );
}

function EnableKey({ channel, channelKey: { ref, hint } }: KeyActionsProps) {
  const { channelKeys: messages, done } = useMessages();
  const change = useEnableKey(channel.id, ref);
  const enabling = useMutation({
    mutationFn: () => change(true),
    onSuccess: () => showToast(done.enabled(hint)),
  });
  const sentence = useSentence(enabling.error);
  return (
    <>
      {enabling.error && (
        <span role="alert" className="text-bad text-xs">
          {sentence}
        </span>
      )}
      <Button kind="quiet" isSmall disabled={enabling.isPending} onClick={() => enabling.mutate()}>
        {messages.enable}
      </Button>
    </>
  );
}

function DisableKey({ channel, channelKey, onClose }: KeyActionsProps & { readonly onClose: () => void }) {
  const { channelKeys: messages, done } = useMessages();
  const change = useEnableKey(channel.id, channelKey.ref);
  return (
    <ConfirmDialog
      title={messages.disableTitle(channelKey.hint)}
      text={messages.disableText}
      warning={isLastEnabled(channel, channelKey) ? messages.lastText(channel.name) : undefined}
      action={messages.disable}
      done={done.disabled(channelKey.hint)}
      onClose={onClose}
      onConfirm={() => change(false)}
    />
  );
}

function RemoveKey({ channel, channelKey, onClose }: KeyActionsProps & { readonly onClose: () => void }) {
  const { channelKeys: messages, done } = useMessages();
  const refresh = useRefresh();
  const leavesNone = channel.keys.length > 1 && isLastEnabled(channel, channelKey);
  return (
    <ConfirmDialog
      title={messages.removeTitle(channelKey.hint)}
      text={messages.removeText}
      warning={leavesNone ? messages.lastText(channel.name) : undefined}
      action={messages.remove}
      done={done.removed(channelKey.hint)}
      onClose={onClose}
      onConfirm={async () => {
        const path = { id: channel.id, key_id: channelKey.id ?? '' };
        await api.delete('/api/v1/channels/{id}/keys/{key_id}', { path });
        await refresh('/api/v1/channels', '/api/v1/system');
      }}
    />
  );
}

function useEnableKey(channelId: string, ref: string): (enabled: boolean) => Promise<void> {
  const refresh = useRefresh();
  return async (enabled) => {
    const path = { id: channelId, key_id: ref };
    await api.patch('/api/v1/channels/{id}/keys/{key_id}', { path, body: { enabled } });
    await refresh('/api/v1/channels', '/api/v1/system');
  };
}
