import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.js';
import type { ModelWithPrices } from '../../api/rows.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Facts } from '../../components/facts.js';
import { Drawer } from '../../components/modal.js';
import { Moment } from '../../components/moment.js';
import { Skeleton } from '../../components/skeleton.js';
import { useMessages } from '../../messages/use-messages.js';
import { showUsd } from '../../money/usd.js';
import { PriceForm } from './price-form.js';

/** A model with every price it had, has and will have. */
export function ModelDrawer({ slug, onClose }: { readonly slug: string; readonly onClose: () => void }) {
  const { models: messages } = useMessages();
  const path = `/api/v1/models/${slug}`;
  const model = useQuery({
    queryKey: ['/api/v1/models', slug],
    queryFn: () => api.get<ModelWithPrices>(path),
  });
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
              [messages.maxOutput, model.data.max_output_tokens],
              [messages.source, model.data.price_source],
            ]}
          />
          <Button kind="primary" className="self-start" onClick={() => setEditing(true)}>
            {messages.edit}
          </Button>
          <section>
            <h3 className="mb-3 font-semibold">{messages.history}</h3>
            <PriceHistory model={model.data} />
          </section>
          {isEditing && <PriceForm model={model.data} onClose={() => setEditing(false)} />}
        </>
      )}
    </Drawer>
  );
}

function PriceHistory({ model }: { readonly model: ModelWithPrices }) {
  const { models: messages } = useMessages();
  return (
    <ol className="flex flex-col gap-3">
      {model.prices.map((version) => (
        <li key={version.id} className="border-line rounded-lg border p-3">
          <div className="mb-2 flex flex-wrap items-center justify-between gap-2 text-xs">
            <span className="text-muted">
              <Moment at={version.effective_from} isAbsolute /> · {version.source}
            </span>
            {version.id === model.price_version && <Badge tone="good">{messages.current}</Badge>}
            {Date.parse(version.effective_from) > Date.now() && (
              <Badge tone="accent">{messages.planned}</Badge>
            )}
          </div>
          <code className="text-muted mb-2 block font-mono text-xs break-all">{version.id}</code>
          <Facts
            facts={Object.entries(messages.rates).map(([key, name]) => {
              const rate = version.price[key];
              return [name, typeof rate === 'string' ? showUsd(rate, 9) : undefined];
            })}
          />
        </li>
      ))}
    </ol>
  );
}
