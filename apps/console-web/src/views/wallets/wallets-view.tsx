import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Wallet } from '../../api/console-api.js';
import { useIsAdministrator } from '../../api/use-me.js';
import { useRows } from '../../api/use-rows.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { Cut } from '../../components/cut.js';
import { EmptyState } from '../../components/empty-state.js';
import { Icon } from '../../components/icon.js';
import { Moment } from '../../components/moment.js';
import { moneyColumn } from '../../components/money-column.js';
import { NameFilter, useNameFilter } from '../../components/name-filter.js';
import { PageHeader } from '../../components/page-header.js';
import { RowList } from '../../components/row-list.js';
import { actionsColumn, type Column, ROW_LINK } from '../../components/table.js';
import { useSorting } from '../../components/use-sorting.js';
import { useMessages } from '../../messages/use-messages.js';
import { ExportLedgerForm } from './export-ledger-form.js';
import { NewWalletForm } from './new-wallet-form.js';
import { RedeemForm } from './redeem-form.js';
import { TopUpForm } from './top-up-form.js';
import { useOwners } from './use-owners.js';
import { WalletLimitsForm } from './wallet-limits-form.js';

const REFRESH_MS = 5_000;

export function WalletsView() {
  const { wallets: messages } = useMessages();
  const sorting = useSorting();
  const { sort, order } = sorting;
  const filters = useNameFilter();
  const wallets = useRows(
    '/api/v1/wallets',
    { query: { ...filters, sort, order } },
    { refreshMs: REFRESH_MS },
  );
  const isAdministrator = useIsAdministrator();
  const [isExporting, setExporting] = useState(false);
  const [isCreating, setCreating] = useState(false);
  const [isRedeeming, setRedeeming] = useState(false);
  const [toppedUp, setToppedUp] = useState<Wallet>();
  const [limited, setLimited] = useState<Wallet>();
  // As it is now; the row may have left the list since.
  const live = wallets.rows.find(({ id }) => id === toppedUp?.id) ?? toppedUp;
  const columns = useWalletColumns(wallets.rows, { onLimit: setLimited, onTopUp: setToppedUp });
  const create = isAdministrator && (
    // First where the buttons take two lines.
    <Button kind="primary" className="max-sm:order-first" onClick={() => setCreating(true)}>
      <Icon name="plus" />
      {messages.create}
    </Button>
  );
  return (
    <>
      <PageHeader title={messages.title} text={messages.text}>
        <Button onClick={() => setRedeeming(true)}>{messages.redeem}</Button>
        {isAdministrator && <Button onClick={() => setExporting(true)}>{messages.exportAll}</Button>}
        {create}
      </PageHeader>
      <Card>
        <NameFilter />
        <RowList
          caption={messages.title}
          pages={wallets}
          sorting={sorting}
          columns={columns}
          keyOf={(wallet) => wallet.id}
          empty={
            <EmptyState title={messages.emptyTitle} text={messages.emptyText} filters={filters}>
              {create}
            </EmptyState>
          }
        />
      </Card>
      {isExporting && <ExportLedgerForm onClose={() => setExporting(false)} />}
      {isCreating && <NewWalletForm onClose={() => setCreating(false)} />}
      {isRedeeming && <RedeemForm onClose={() => setRedeeming(false)} />}
      {limited && <WalletLimitsForm wallet={limited} onClose={() => setLimited(undefined)} />}
      {live && <TopUpForm wallet={live} onClose={() => setToppedUp(undefined)} />}
    </>
  );
}

interface WalletColumnsOptions {
  readonly onLimit: (wallet: Wallet) => void;
  readonly onTopUp: (wallet: Wallet) => void;
}

function useWalletColumns(
  wallets: readonly Wallet[],
  { onLimit, onTopUp }: WalletColumnsOptions,
): readonly Column<Wallet>[] {
  const { wallets: messages } = useMessages();
  const isAdministrator = useIsAdministrator();
  const ownerOf = useOwners(wallets);
  const ownerColumns: readonly Column<Wallet>[] = isAdministrator
    ? [
        {
          header: messages.owner,
          meta: { hideOnSmallScreens: true },
          cell: ({ row: { original: wallet } }) => <Cut text={ownerOf(wallet)} />,
        },
      ]
    : [];
  const actions = actionsColumn<Wallet>((wallet) => (
    <WalletActions onLimit={() => onLimit(wallet)} onTopUp={() => onTopUp(wallet)} />
  ));
  return [
    {
      header: messages.name,
      accessorKey: 'name',
      cell: ({ row: { original: wallet } }) => (
        <Link to="/wallets/$walletId" params={{ walletId: wallet.id }} className={ROW_LINK}>
          <Cut text={wallet.name} isWide />
        </Link>
      ),
    },
    ...ownerColumns,
    moneyColumn(wallets, {
      header: messages.balance,
      accessorKey: 'balance',
      usd: (wallet) => wallet.balance,
    }),
    moneyColumn(wallets, {
      header: messages.held,
      accessorKey: 'held',
      meta: { hideOnSmallScreens: true },
      usd: (wallet) => wallet.held,
    }),
    moneyColumn(wallets, {
      header: messages.creditLimit,
      accessorKey: 'credit_limit',
      meta: { hideOnSmallScreens: true },
      usd: (wallet) => wallet.credit_limit,
    }),
    moneyColumn(wallets, {
      header: messages.available,
      accessorKey: 'available',
      meta: { hideOnSmallScreens: true },
      usd: (wallet) => wallet.available,
    }),
    {
      header: messages.created,
      id: 'created',
      accessorKey: 'created_at',
      meta: { isExtra: true },
      cell: ({ row: { original: wallet } }) => <Moment at={wallet.created_at} />,
    },
    ...(isAdministrator ? [actions] : []),
  ];
}

function WalletActions({ onLimit, onTopUp }: { readonly onLimit: () => void; readonly onTopUp: () => void }) {
  const { wallets: messages } = useMessages();
  return (
    <>
      <Button kind="quiet" isSmall onClick={onLimit}>
        {messages.limit}
      </Button>
      <Button kind="quiet" isSmall onClick={onTopUp}>
        {messages.topUp}
      </Button>
    </>
  );
}
