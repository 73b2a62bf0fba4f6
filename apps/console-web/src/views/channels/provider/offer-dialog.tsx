import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useRefresh } from '../../../api/api-query.js';
import { api } from '../../../api/client.js';
import type { Channel, OfferedModels } from '../../../api/console-api.js';
import { Button } from '../../../components/button.js';
import { ErrorNotice } from '../../../components/error-notice.js';
import { ModalFoot, WideDialog } from '../../../components/modal.js';
import { Skeleton } from '../../../components/skeleton.js';
import { showToast } from '../../../components/show-toast.js';
import { useMessages } from '../../../messages/use-messages.js';
import { usePhrases } from '../../../messages/use-phrases.js';
import { isPriced, type OfferDraft, toAddedModel, toOfferedPrice } from './offer-draft.js';
import { OfferList } from './offer-list.js';
import { useModelTests } from './use-model-tests.js';

interface OfferDialogProps {
  readonly channel: Channel;
  /** The word on the button that adds the models. */
  readonly action: (count: number) => string;
  /** Back to key and address, where the channel is new: it is switched on with its models. */
  readonly onBack?: (() => void) | undefined;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** The models that a channel's provider has: ticked, priced, tried and added at once. */
export function OfferDialog({ channel, ...rest }: OfferDialogProps) {
  const { provider: messages } = useMessages();
  const offer = useQuery({
    queryKey: ['offer', channel.id],
    queryFn: () => api.post('/api/v1/channels/{id}/discover', { path: { id: channel.id } }),
    // The provider is asked once each time that this opens.
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  return (
    <WideDialog title={messages.offerTitle(channel.name)} onClose={rest.onClose} closedBy="button">
      {offer.isPending && (
        <>
          <p className="text-muted">{messages.fetching}</p>
          <Skeleton lines={6} />
        </>
      )}
      {offer.error && <ErrorNotice error={offer.error} onRetry={() => void offer.refetch()} />}
      {offer.data && <Offer channel={channel} offer={offer.data} {...rest} />}
    </WideDialog>
  );
}

function Offer({ channel, offer, action, onBack, onDone }: OfferDialogProps & { offer: OfferedModels }) {
  const { provider: messages, actions, done } = useMessages();
  const refresh = useRefresh();
  const [drafts, setDrafts] = useState<Readonly<Record<string, OfferDraft>>>({});
  const { tests, isRunning, run } = useModelTests(channel.id);
  const ticked = offer.models.flatMap((model) => {
    const draft = drafts[model.name];
    return draft?.isTicked ? [{ model, draft }] : [];
  });
  const unpriced = ticked.filter(
    ({ model, draft }) => !isPriced(model) && toOfferedPrice(model, draft) === undefined,
  );
  const adding = useMutation({
    mutationFn: async () => {
      const models = ticked.map(({ model, draft }) => toAddedModel(model, draft));
      await api.post('/api/v1/channels/{id}/models', {
        path: { id: channel.id },
        body: { models, enabled: onBack ? true : undefined },
      });
      await refresh('/api/v1/channels', '/api/v1/models', '/api/v1/catalog', '/api/v1/system');
    },
    onSuccess: () => {
      showToast(done.models(ticked.length, channel.name));
      onDone();
    },
  });
  return (
    <>
      <OfferSource offer={offer} />
      <OfferList offer={offer} drafts={drafts} tests={tests} onChange={setDrafts} />
      {unpriced.length > 0 && (
        <p role="status" className="text-warn text-xs">
          {messages.willBeRefused(unpriced.map(({ model }) => model.slug).join(', '))}
        </p>
      )}
      {adding.error && <ErrorNotice error={adding.error} />}
      <ModalFoot>
        {onBack && <Button onClick={onBack}>{actions.back}</Button>}
        <Button
          disabled={ticked.length === 0 || isRunning}
          onClick={() => void run(ticked.map(({ model }) => model.name))}
        >
          {messages.testTicked(ticked.length)}
        </Button>
        <Button
          kind="primary"
          disabled={ticked.length === 0 || adding.isPending}
          onClick={() => adding.mutate()}
        >
          {action(ticked.length)}
        </Button>
      </ModalFoot>
    </>
  );
}

/** Whose list it is, and what the provider said where it is not the provider's own. */
function OfferSource({ offer }: { readonly offer: OfferedModels }) {
  const { provider: messages } = useMessages();
  const say = usePhrases();
  if (offer.source === 'provider') {
    return <p className="text-muted">{messages.fromProvider(offer.models.length)}</p>;
  }
  return (
    <div role="alert" className="bg-warn-soft text-warn rounded-lg px-4 py-3">
      <p>{say(offer.message_phrases)}</p>
      <p className="mt-0.5 text-xs">
        {offer.models.length === 0 ? messages.noneKnown : messages.fromUs(offer.models.length)}
      </p>
    </div>
  );
}
