import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { apiQuery } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { LedgerEntry, Wallet } from '../../api/console-api.js';
import { useIsAdministrator } from '../../api/use-me.js';
import { useRows } from '../../api/use-rows.js';
import { BackLink } from '../../components/back-link.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { EmptyState } from '../../components/empty-state.js';
import { ExportButton } from '../../components/export-button.js';
import { DayFilter } from '../../components/date-field.js';
import { FilterBar } from '../../components/filter-bar.js';
import { Moment } from '../../components/moment.js';
import { LargeMoney } from '../../components/money.js';
import { moneyColumn } from '../../components/money-column.js';
import { PageHeader } from '../../components/page-header.js';
import { RowList } from '../../components/row-list.js';
import { Stat } from '../../components/stat.js';
import type { Column } from '../../components/table.js';
import { toDayBounds } from '../../layout/time-zone.js';
import { useMessages } from '../../messages/use-messages.js';
import { usePhrases } from '../../messages/use-phrases.js';
import { showUsd } from '../../money/usd.js';
import { ChangesCard } from '../detail/changes-card.js';
import { LimitsCard } from '../detail/limits-card.js';
import { useBudgets } from '../limits/use-budgets.js';
import { type LedgerSearch, readLedgerSearch } from './ledger-search.js';
import { TopUpForm } from './top-up-form.js';
import { useOwners } from './use-owners.js';
import { WalletLimitsForm } from './wallet-limits-form.js';

/** As high as a note: nothing moves when one comes. */
const NO_NOTE = '\u00a0';

export function LedgerView() {
  const { wallets: messages } = useMessages();
  const { walletId } = useParams({ from: '/signed-in/wallets/$walletId' });
  const isAdministrator = useIsAdministrator();
  const path = { id: walletId };
  const wallet = useQuery(apiQuery('/api/v1/wallets/{id}', { path }));
  const budgets = useBudgets([walletId]);
  const filters = useSearch({ from: '/signed-in/wallets/$walletId' });
  const query = toDayBounds(filters);
  const entries = useRows('/api/v1/wallets/{id}/entries', { path, query });
  const ownerOf = useOwners(wallet.data ? [wallet.data] : []);
  const [isToppingUp, setToppingUp] = useState(false);
  const [isLimiting, setLimiting] = useState(false);
  return (
    <>
      <PageHeader
        title={wallet.data?.name ?? messages.ledger}
        text={isAdministrator ? messages.belongsTo(wallet.data ? ownerOf(wallet.data) : '–') : undefined}
        back={<BackLink to="/wallets" name={messages.title} />}
      >
        <ExportButton
          name="ledger.csv"
          load={() => api.getFile('/api/v1/wallets/{id}/entries.csv', { path, query })}
        />
        {isAdministrator && (
          <>
            <Button onClick={() => setLimiting(true)}>{messages.limit}</Button>
            <Button kind="primary" onClick={() => setToppingUp(true)}>
              {messages.topUp}
            </Button>
          </>
        )}
      </PageHeader>
      <WalletFigures wallet={wallet.data} />
      {wallet.data && !budgets.isPending && (
        <div className="mb-4 grid gap-4 xl:grid-cols-[2fr_3fr]">
          <LimitsCard limits={wallet.data.limits} budgets={budgets.of(walletId)} />
          {isAdministrator && <ChangesCard targetId={walletId} />}
        </div>
      )}
      <Card title={messages.ledger}>
        <EntryFilters filters={filters} />
        <RowList
          caption={messages.ledger}
          pages={entries}
          isPending={wallet.isPending || budgets.isPending}
          columns={useEntryColumns(entries.rows)}
          keyOf={(entry) => entry.id}
          empty={
            <EmptyState
              title={messages.entriesEmptyTitle}
              text={messages.entriesEmptyText}
              filters={filters}
            />
          }
        />
      </Card>
      {isToppingUp && wallet.data && <TopUpForm wallet={wallet.data} onClose={() => setToppingUp(false)} />}
      {isLimiting && wallet.data && (
        <WalletLimitsForm wallet={wallet.data} onClose={() => setLimiting(false)} />
      )}
    </>
  );
}

/** What a wallet has: the balance alone on a line where three would break their digits. */
function WalletFigures({ wallet }: { readonly wallet: Wallet | undefined }) {
  const { wallets: messages } = useMessages();
  const notes = useNotes(wallet);
  return (
    <div className="mb-4 grid grid-cols-1 gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {(['balance', 'held', 'available'] as const).map((name) => (
        <Stat
          key={name}
          title={messages[name]}
          note={notes[name] ?? NO_NOTE}
          className={name === 'balance' ? 'sm:max-lg:col-span-2' : ''}
        >
          {wallet && <LargeMoney usd={wallet[name]} />}
        </Stat>
      ))}
    </div>
  );
}

/** What stands below the figures of a wallet: how far it may go below zero, and when it counts as low. */
function useNotes(wallet: Wallet | undefined): Record<string, string | undefined> {
  const { wallets: messages } = useMessages();
  const isAdministrator = useIsAdministrator();
  if (!wallet) return {};
  const { alert_below: threshold } = wallet;
  return {
    balance: messages.credit(showUsd(wallet.credit_limit)),
    available: isAdministrator && threshold !== null ? messages.alertsBelow(showUsd(threshold)) : undefined,
  };
}

function EntryFilters({ filters }: { readonly filters: LedgerSearch }) {
  const { logs: messages } = useMessages();
  const navigate = useNavigate({ from: '/wallets/$walletId' });
  const show = (search: LedgerSearch) => void navigate({ search, replace: true, resetScroll: false });
  const day = (name: 'from' | 'to') => (
    <DayFilter
      label={messages[name]}
      value={filters[name]}
      onFilter={(value) => show(readLedgerSearch({ ...filters, [name]: value }))}
    />
  );
  return (
    <FilterBar filters={filters} onClear={() => show({})}>
      {day('from')}
      {day('to')}
    </FilterBar>
  );
}

function useEntryColumns(entries: readonly LedgerEntry[]): readonly Column<LedgerEntry>[] {
  const { wallets: messages } = useMessages();
  const say = usePhrases();
  return [
    {
      header: messages.when,
      meta: { hideOnPhones: true },
      cell: ({ row: { original: entry } }) => <Moment at={entry.created_at} isAbsolute />,
    },
    {
      header: messages.kind,
      cell: ({ row: { original: entry } }) => (
        <>
          <Badge>{messages.kinds[entry.kind]}</Badge>
          <span className="text-muted block text-xs @sm:hidden">
            <Moment at={entry.created_at} />
          </span>
        </>
      ),
    },
    moneyColumn(entries, {
      header: messages.amount,
      usd: (entry) => entry.amount,
      isSigned: true,
      toneOf: (entry) => (entry.amount.startsWith('-') ? '' : 'text-good'),
    }),
    moneyColumn(entries, {
      header: messages.after,
      meta: { hideOnSmallScreens: true },
      usd: (entry) => entry.balance_after,
    }),
    { header: messages.reference, cell: ({ row: { original: entry } }) => <EntryReference entry={entry} /> },
    {
      header: messages.note,
      meta: { hideOnSmallScreens: true, isRest: true },
      cell: ({ row: { original: entry } }) => say(entry.note_phrases),
    },
  ];
}

function EntryReference({ entry }: { readonly entry: LedgerEntry }) {
  if (entry.request_id === null) return null;
  return (
    <Link
      to="/logs"
      search={{ call: entry.request_id }}
      className="touch:inline-flex touch:min-h-11 touch:items-center text-accent font-mono text-xs whitespace-nowrap underline underline-offset-4"
    >
      {entry.request_id.slice(0, 13)}
    </Link>
  );
}
