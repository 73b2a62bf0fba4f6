import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { CatalogModel, Model } from '../../api/console-api.js';
import { useIsAdministrator, useMe } from '../../api/use-me.js';
import { useRows } from '../../api/use-rows.js';
import { Badge } from '../../components/badge.js';
import { Breakable } from '../../components/breakable.js';
import { Button, LINK_BUTTON } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { CopyButton } from '../../components/copy-button.js';
import { EmptyState } from '../../components/empty-state.js';
import { Icon } from '../../components/icon.js';
import { Moment } from '../../components/moment.js';
import { NameFilter, useNameFilter } from '../../components/name-filter.js';
import { PageHeader } from '../../components/page-header.js';
import { RowList } from '../../components/row-list.js';
import { Skeleton } from '../../components/skeleton.js';
import type { Column } from '../../components/table.js';
import { useSorting } from '../../components/use-sorting.js';
import { sayPriceSource } from '../../messages/say-price-source.js';
import { useMessages } from '../../messages/use-messages.js';
import { ModelDrawer } from './model-drawer.js';
import { NewModelForm } from './new-model-form.js';
import { PriceImportDrawer } from './price-import-drawer.js';
import { ShortPrice } from './short-price.js';

/** What can be called and what it costs; administrators change it here. */
export function ModelsView() {
  const me = useMe();
  if (!me.data) return <Skeleton lines={8} />;
  return me.data.role === 'administrator' ? <AdministratedModels /> : <Catalog />;
}

function Catalog() {
  const { models: messages } = useMessages();
  const filters = useNameFilter();
  const models = useRows('/api/v1/catalog', { query: filters });
  return (
    <>
      <PageHeader title={messages.title} text={messages.text} />
      <Card>
        <NameFilter />
        <RowList
          caption={messages.title}
          pages={models}
          columns={useCatalogColumns<CatalogModel>()}
          keyOf={(model) => model.slug}
          below={(model) => <PriceBelow model={model} />}
          empty={<EmptyState title={messages.emptyTitle} text={messages.emptyText} filters={filters} />}
        />
      </Card>
    </>
  );
}

function AdministratedModels() {
  const { models: messages, states } = useMessages();
  const sorting = useSorting();
  const { sort, order } = sorting;
  const filters = useNameFilter();
  const models = useRows('/api/v1/models', { query: { ...filters, sort, order } });
  const [opened, setOpened] = useState<string>();
  const [isImporting, setImporting] = useState(false);
  const [isCreating, setCreating] = useState(false);
  const columns: readonly Column<Model>[] = [
    ...useCatalogColumns<Model>(),
    {
      header: messages.source,
      meta: { hideOnSmallScreens: true },
      cell: ({ row: { original: model } }) =>
        model.price_source && <PriceSource source={model.price_source} />,
    },
    {
      header: messages.since,
      meta: { hideOnSmallScreens: true },
      cell: ({ row: { original: model } }) => model.effective_from && <Moment at={model.effective_from} />,
    },
    {
      header: messages.state,
      accessorKey: 'state',
      cell: ({ row: { original: model } }) =>
        model.state === 'active' ? (
          <Badge tone="good">{states.active}</Badge>
        ) : (
          <Badge>{states.disabled}</Badge>
        ),
    },
  ];
  return (
    <>
      <PageHeader title={messages.title} text={messages.text}>
        <Button onClick={() => setImporting(true)}>{messages.importAction}</Button>
        <Button kind="primary" onClick={() => setCreating(true)}>
          <Icon name="plus" />
          {messages.create}
        </Button>
      </PageHeader>
      <Card>
        <NameFilter />
        <RowList
          caption={messages.title}
          pages={models}
          sorting={sorting}
          columns={columns}
          keyOf={(model) => model.slug}
          nameOf={(model) => model.slug}
          onOpen={(model) => setOpened(model.slug)}
          below={(model) => <PriceBelow model={model} />}
          empty={
            <EmptyState title={messages.emptyTitle} text={messages.emptyText} filters={filters}>
              <Link to="/channels" className={LINK_BUTTON}>
                {messages.emptyAction}
              </Link>
            </EmptyState>
          }
        />
      </Card>
      {opened !== undefined && <ModelDrawer slug={opened} onClose={() => setOpened(undefined)} />}
      {isImporting && <PriceImportDrawer onClose={() => setImporting(false)} />}
      {isCreating && <NewModelForm onClose={() => setCreating(false)} />}
    </>
  );
}

function PriceSource({ source }: { readonly source: string }) {
  const { models: messages } = useMessages();
  return (
    <span className="inline-block text-xs @4xl:min-w-28 @5xl:min-w-34">
      <Breakable text={sayPriceSource(messages.sources, source)} />
    </span>
  );
}

/** On a phone, where there is no column of prices. */
function PriceBelow({ model }: { readonly model: CatalogModel }) {
  return (
    <span className="block @sm:hidden">
      <ShortPrice price={model.price} />
    </span>
  );
}

function useCatalogColumns<Row extends CatalogModel>(): readonly Column<Row>[] {
  const { models: messages } = useMessages();
  const isAdministrator = useIsAdministrator();
  return [
    {
      header: messages.slug,
      accessorKey: 'slug',
      cell: ({ row: { original: model } }) => (
        <>
          <code className="font-mono text-xs">
            <Breakable text={model.slug} />
          </code>
          {!isAdministrator && (
            <span className="text-muted ml-1 inline-block align-middle">
              <CopyButton text={model.slug} label={model.slug} />
            </span>
          )}
        </>
      ),
    },
    {
      header: messages.kind,
      accessorKey: 'kind',
      meta: { hideOnSmallScreens: true },
      cell: ({ row: { original: model } }) => (
        <span className="whitespace-nowrap">{messages.kinds[model.kind] ?? model.kind}</span>
      ),
    },
    {
      header: messages.prices,
      // There they stand below the slug.
      meta: { hideOnPhones: true },
      cell: ({ row: { original: model } }) => <ShortPrice price={model.price} />,
    },
  ];
}
