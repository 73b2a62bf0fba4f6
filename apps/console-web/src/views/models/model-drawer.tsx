import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../api/api-query.js';
import { Button } from '../../components/button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Facts } from '../../components/facts.js';
import { Drawer, ModalFoot } from '../../components/modal.js';
import { Skeleton } from '../../components/skeleton.js';
import { sayPriceSource } from '../../messages/say-price-source.js';
import { useLanguage, useMessages } from '../../messages/use-messages.js';
import { ModelAttempts } from './model-attempts.js';
import { ModelForm } from './model-form.js';
import { PriceHistory } from './price-history.js';

/** A model with every price it had, has and will have. */
export function ModelDrawer({ slug, onClose }: { readonly slug: string; readonly onClose: () => void }) {
  const { models: messages, routing, detail, states } = useMessages();
  const language = useLanguage();
  const model = useQuery(apiQuery('/api/v1/models/{path}', { path: { path: slug } }));
  const [isEditing, setEditing] = useState(false);
  return (
    <Drawer title={slug} onClose={onClose}>
      {model.isPending && <Skeleton lines={8} />}
      {model.error && <ErrorNotice error={model.error} onRetry={() => void model.refetch()} />}
      {model.data && (
        <>
          <Facts
            facts={[
              [messages.kind, messages.kinds[model.data.kind] ?? model.data.kind],
              [messages.contextWindow, model.data.context_window?.toLocaleString(language)],
              [messages.maxOutput, model.data.max_output_tokens?.toLocaleString(language)],
              [routing.title, routing.strategies[model.data.routing]],
              [routing.sticky, model.data.sticky && states.yes],
              [routing.hedge, model.data.hedge && states.yes],
              [routing.fallback, model.data.fallback.join(', ')],
              [routing.firstToken, model.data.first_token_timeout],
              [
                messages.source,
                model.data.price_source && sayPriceSource(messages.sources, model.data.price_source),
              ],
            ]}
          />
          <section>
            <h3 className="mb-3 font-semibold">{detail.health}</h3>
            <ModelAttempts slug={slug} />
          </section>
          <section>
            <h3 className="mb-3 font-semibold">{messages.history}</h3>
            <PriceHistory model={model.data} />
          </section>
          <ModalFoot>
            <Button kind="primary" onClick={() => setEditing(true)}>
              {messages.edit}
            </Button>
          </ModalFoot>
          {isEditing && <ModelForm model={model.data} onClose={() => setEditing(false)} />}
        </>
      )}
    </Drawer>
  );
}
