import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../api/client.js';
import type { CatalogModel, Channel } from '../../api/console-api.js';
import { Badge } from '../../components/badge.js';
import { Breakable } from '../../components/breakable.js';
import { Table } from '../../components/table.js';
import { useMessages } from '../../messages/use-messages.js';
import { ShortPrice } from '../models/short-price.js';

/** The API takes so many slugs at once. */
const MOST_PRICES = 200;

/** The models that a channel serves, with their prices, or why calls to them are refused. */
export function ChannelModels({ channel }: { readonly channel: Channel }) {
  const { channels: messages, models: texts, detail } = useMessages();
  const slugs = Object.keys(channel.models);
  const catalog = useQuery({
    queryKey: ['/api/v1/catalog', 'of channel', slugs],
    queryFn: () =>
      callApi<{ data: readonly CatalogModel[] }>('GET', '/api/v1/catalog', {
        query: { slugs: slugs.slice(0, MOST_PRICES).join(','), limit: MOST_PRICES },
      }),
    enabled: slugs.length > 0,
  });
  const priceOf = (slug: string) => catalog.data?.data.find((model) => model.slug === slug)?.price ?? null;
  const refusalOf = (slug: string) => channel.uncallable_models.find((model) => model.slug === slug)?.reason;
  if (slugs.length === 0) return <p className="text-muted">{detail.noModels}</p>;
  return (
    <Table
      caption={messages.models}
      rows={Object.entries(channel.models)}
      keyOf={([slug]) => slug}
      columns={[
        {
          header: texts.slug,
          cell: ({
            row: {
              original: [slug],
            },
          }) => (
            <code className="inline-block font-mono text-xs @lg:min-w-48">
              <Breakable text={slug} />
            </code>
          ),
        },
        {
          header: detail.upstreamName,
          meta: { hideOnPhones: true },
          cell: ({
            row: {
              original: [, name],
            },
          }) => (
            <code className="text-muted font-mono text-xs">
              <Breakable text={name} />
            </code>
          ),
        },
        {
          header: texts.prices,
          cell: ({
            row: {
              original: [slug],
            },
          }) => {
            const reason = refusalOf(slug);
            if (reason !== undefined) return <Badge tone="warn">{messages.uncallableReasons[reason]}</Badge>;
            return catalog.data && <ShortPrice price={priceOf(slug)} />;
          },
        },
      ]}
    />
  );
}
