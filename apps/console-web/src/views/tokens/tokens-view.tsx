import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Token, TokenWithKey } from '../../api/console-api.js';
import { useSelectedKey } from '../../api/selected-key.js';
import { useIsAdministrator } from '../../api/use-me.js';
import { type NamedPath, useNames } from '../../api/use-names.js';
import { useProjects } from '../../api/use-projects.js';
import { useRows } from '../../api/use-rows.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { Cut } from '../../components/cut.js';
import { EmptyState } from '../../components/empty-state.js';
import { FilterBar } from '../../components/filter-bar.js';
import { Icon } from '../../components/icon.js';
import { Drawer } from '../../components/modal.js';
import { Moment } from '../../components/moment.js';
import { Money } from '../../components/money.js';
import { PageHeader } from '../../components/page-header.js';
import { RowList } from '../../components/row-list.js';
import { RowFilter } from '../../components/row-filter.js';
import { actionsColumn, type Column, ROW_LINK_ABOVE } from '../../components/table.js';
import { TextFilter } from '../../components/text-filter.js';
import { useSorting } from '../../components/use-sorting.js';
import { useMessages } from '../../messages/use-messages.js';
import { ConnectPanel } from '../connect/connect-panel.js';
import { type Budgets, useBudgets } from '../limits/use-budgets.js';
import { NewKeyDialog } from './new-key-dialog.js';
import { TokenActions } from './token-actions.js';
import { TokenForm } from './token-form.js';
import { readTokenSearch, type TokenSearch } from './token-search.js';
import { TokenState } from './token-state.js';
import { TokenUse } from './token-use.js';
import { usePayers } from './use-payers.js';

export function TokensView() {
  const { tokens: messages, connect, playground } = useMessages();
  const { sort, order, ...filters } = useSearch({ from: '/signed-in/tokens' });
  const { project_id: projectId } = filters;
  const sorting = useSorting();
  const tokens = useRows('/api/v1/tokens', { query: { ...filters, sort, order } });
  const key = useSelectedKey();
  const [isConnecting, setConnecting] = useState(false);
  const [isCreating, setCreating] = useState(false);
  const [keyed, setKeyed] = useState<TokenWithKey>();
  const budgets = useBudgets(tokens.rows.map((token) => token.id));
  const columns = useTokenColumns(tokens.rows, budgets, setKeyed);
  return (
    <>
      <PageHeader title={messages.title} text={messages.text}>
        <Button onClick={() => setConnecting(true)}>{connect.action}</Button>
        <Button kind="primary" onClick={() => setCreating(true)}>
          <Icon name="plus" />
          {messages.create}
        </Button>
      </PageHeader>
      <Card>
        <TokenFilters filters={filters} />
        <RowList
          caption={messages.title}
          pages={tokens}
          isPending={budgets.isPending}
          sorting={sorting}
          columns={columns}
          keyOf={(token) => token.id}
          empty={
            <EmptyState title={messages.emptyTitle} text={messages.emptyText} filters={filters}>
              <Button kind="primary" onClick={() => setCreating(true)}>
                <Icon name="plus" />
                {messages.create}
              </Button>
            </EmptyState>
          }
        />
      </Card>
      {isCreating && <TokenForm projectId={projectId} onKey={setKeyed} onClose={() => setCreating(false)} />}
      {isConnecting && (
        <Drawer title={connect.title} onClose={() => setConnecting(false)}>
          <p className="text-muted">{connect.text}</p>
          <ConnectPanel apiKey={key ?? playground.keyPlaceholder} />
        </Drawer>
      )}
      {keyed && <NewKeyDialog token={keyed} onClose={() => setKeyed(undefined)} />}
    </>
  );
}

/** By a part of the name, by project for whoever is in one, and by user for administrators. */
function TokenFilters({ filters }: { readonly filters: Omit<TokenSearch, 'sort' | 'order'> }) {
  const { projects, provider, logs } = useMessages();
  const hasProjects = useProjects().length > 0;
  const isAdministrator = useIsAdministrator();
  const navigate = useNavigate({ from: '/tokens' });
  const change = (part: TokenSearch) =>
    void navigate({
      search: (search) => readTokenSearch({ ...search, ...part }),
      replace: true,
      resetScroll: false,
    });
  const row = (name: 'project_id' | 'user_id', label: string, path: NamedPath) => (
    <RowFilter label={label} path={path} value={filters[name]} onFilter={(id) => change({ [name]: id })} />
  );
  return (
    <FilterBar filters={filters} onClear={() => change({ project_id: '', user_id: '', search: '' })}>
      <div className="sm:col-span-2">
        <TextFilter
          label={provider.search}
          value={filters.search}
          onFilter={(search) => change({ search })}
        />
      </div>
      {isAdministrator && row('user_id', logs.user_id, '/api/v1/users')}
      {(hasProjects || filters.project_id !== undefined) &&
        row('project_id', projects.single, '/api/v1/projects')}
    </FilterBar>
  );
}

function useTokenColumns(
  tokens: readonly Token[],
  budgets: Budgets,
  onKey: (token: TokenWithKey) => void,
): readonly Column<Token>[] {
  const { tokens: messages, states } = useMessages();
  const isAdministrator = useIsAdministrator();
  const emailOf = useNames(
    '/api/v1/users',
    tokens.map((token) => token.user_id),
    { enabled: isAdministrator },
  );
  const payerOf = usePayers(tokens);
  return [
    {
      header: messages.name,
      accessorKey: 'name',
      cell: ({ row: { original: token } }) => (
        <TokenName token={token} email={isAdministrator ? (emailOf(token.user_id) ?? '') : undefined} />
      ),
    },
    {
      header: messages.key,
      meta: { isExtra: true },
      cell: ({ row: { original: token } }) => (
        <code className="font-mono text-xs whitespace-nowrap">{token.key_hint}</code>
      ),
    },
    {
      header: messages.wallet,
      meta: { hideOnSmallScreens: true },
      cell: ({ row: { original: token } }) => <Cut text={payerOf(token)} />,
    },
    {
      header: messages.used,
      accessorKey: 'used',
      sortDescFirst: true,
      meta: { isNumber: true, hideOnPhones: true },
      cell: ({ row: { original: token } }) => <TokenUse token={token} budgets={budgets.of(token.id)} />,
    },
    {
      header: messages.quota,
      id: 'quota',
      accessorKey: 'spending_quota',
      sortDescFirst: true,
      meta: { isNumber: true, hideOnSmallScreens: true },
      cell: ({ row: { original: token } }) =>
        token.spending_quota === null ? states.unlimited : <Money usd={token.spending_quota} />,
    },
    {
      header: messages.models,
      meta: { isExtra: true },
      cell: ({ row: { original: token } }) => <AllowedModels models={token.allowed_models} />,
    },
    {
      header: messages.created,
      id: 'created',
      accessorKey: 'created_at',
      meta: { isExtra: true },
      cell: ({ row: { original: token } }) => <Moment at={token.created_at} />,
    },
    {
      header: messages.state,
      cell: ({ row: { original: token } }) => <TokenState token={token} budgets={budgets.of(token.id)} />,
    },
    actionsColumn((token) => <TokenActions token={token} onKey={onKey} />),
  ];
}

/** How many models a key may call; their names on hovering. */
function AllowedModels({ models }: { readonly models: Token['allowed_models'] }) {
  const { tokens: messages, channels } = useMessages();
  return models ? (
    <span title={models.join(', ')} className="whitespace-nowrap">
      {channels.modelCount(models.length)}
    </span>
  ) : (
    messages.allModels
  );
}

/** A key by its name, which leads to its page, with whose it is, or what it spent where there is no column of that. */
function TokenName({ token, email }: { readonly token: Token; readonly email: string | undefined }) {
  const { tokens: messages } = useMessages();
  return (
    <>
      <Link to="/tokens/$tokenId" params={{ tokenId: token.id }} className={ROW_LINK_ABOVE}>
        <Cut text={token.name} isWide />
      </Link>
      <span className="text-muted block text-xs @sm:hidden">
        {messages.used} <Money usd={token.used} />
      </span>
      {email !== undefined && (
        <span className="text-muted text-xs @max-sm:hidden">
          {/* The line is there before the address is known. */}
          <Cut text={email || '\u00A0'} isWide />
        </span>
      )}
    </>
  );
}
