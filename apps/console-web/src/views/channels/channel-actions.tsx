import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Channel, ChannelTest } from '../../api/console-api.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { useSentence } from '../../components/error-notice.js';
import { useMessages } from '../../messages/use-messages.js';
import { usePhrases } from '../../messages/use-phrases.js';
import { ChannelForm } from './channel-form.js';
import { OfferDialog } from './provider/offer-dialog.js';

interface ChannelActionsProps {
  readonly channel: Channel;
  readonly onDeleted?: () => void;
  /** Whether they stand in the heading of a page, and not in a row. */
  readonly isOfPage?: boolean;
}

/** Tries a channel, changes it or deletes it. What a test came to stands below until the next one. */
export function ChannelActions({ channel, onDeleted, isOfPage = false }: ChannelActionsProps) {
  const { channels: messages, provider, actions, done } = useMessages();
  const refresh = useRefresh();
  const [action, setAction] = useState<'edit' | 'models' | 'delete'>();
  const path = { id: channel.id };
  const test = useMutation({ mutationFn: () => api.post('/api/v1/channels/{id}/test', { path }) });
  const close = () => setAction(undefined);
  const look = { kind: isOfPage ? 'plain' : 'quiet', isSmall: !isOfPage } as const;
  return (
    <div className="flex flex-col items-end gap-1">
      <div
        role="group"
        aria-label={messages.open(channel.name)}
        className={`flex flex-wrap justify-end sm:flex-nowrap ${isOfPage ? 'gap-2' : 'gap-1'}`}
      >
        <Button {...look} disabled={test.isPending} onClick={() => test.mutate()}>
          {test.isPending ? messages.testing : messages.test}
        </Button>
        <Button {...look} onClick={() => setAction('models')}>
          {provider.fetchFor}
        </Button>
        <Button {...look} onClick={() => setAction('edit')}>
          {actions.edit}
        </Button>
        <Button {...look} kind={isOfPage ? 'dangerOutline' : 'quiet'} onClick={() => setAction('delete')}>
          {actions.delete}
        </Button>
      </div>
      <TestOutcome answer={test.data} error={test.error} refused={channel.uncallable_models} />
      {action === 'models' && (
        <OfferDialog channel={channel} action={provider.addModels} onClose={close} onDone={close} />
      )}
      {action === 'edit' && <ChannelForm channel={channel} onClose={close} />}
      {action === 'delete' && (
        <ConfirmDialog
          title={messages.deleteTitle(channel.name)}
          text={messages.deleteText}
          action={actions.delete}
          done={done.deleted(channel.name)}
          onClose={close}
          onConfirm={async () => {
            await api.delete('/api/v1/channels/{id}', { path });
            onDeleted?.();
            await refresh('/api/v1/channels');
          }}
        />
      )}
    </div>
  );
}

interface TestOutcomeProps {
  readonly answer: ChannelTest | undefined;
  readonly error: Error | null;
  /** Models that callers are refused although the channel answers. */
  readonly refused: Channel['uncallable_models'];
}

function TestOutcome({ answer, error, refused }: TestOutcomeProps) {
  const { channels: messages } = useMessages();
  const sentence = useSentence(error);
  const say = usePhrases();
  if (error === null && answer === undefined) return null;
  if (answer?.ok) {
    const isOff = answer.refused_because === 'channel_disabled';
    return (
      <p
        role="status"
        className={`max-w-72 text-right text-xs whitespace-normal ${refused.length === 0 && !isOff ? 'text-good' : 'text-warn'}`}
      >
        {messages.testOk(answer.latency_ms)}
        {isOff && (
          <span className="block">{messages.testUseless(messages.uncallableReasons.channel_disabled)}</span>
        )}
        {refused.map(({ slug, reason }) => (
          <span key={slug} className="block">
            {messages.testRefused(slug, messages.uncallableReasons[reason])}
          </span>
        ))}
      </p>
    );
  }
  return (
    <p role="status" className="text-bad max-w-72 text-right text-xs whitespace-normal">
      {messages.testFailed}
      {answer ? say(answer.message_phrases ?? []) : sentence}
    </p>
  );
}
