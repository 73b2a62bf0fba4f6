import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { CodeBatch, CodeBatchWithCodes } from '../../api/console-api.js';
import { useRows } from '../../api/use-rows.js';
import { Breakable } from '../../components/breakable.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { EmptyState } from '../../components/empty-state.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Icon } from '../../components/icon.js';
import { Moment } from '../../components/moment.js';
import { Money } from '../../components/money.js';
import { PageHeader } from '../../components/page-header.js';
import { RowList } from '../../components/row-list.js';
import { showToast } from '../../components/show-toast.js';
import type { Column } from '../../components/table.js';
import { useMessages } from '../../messages/use-messages.js';
import { showUsd } from '../../money/usd.js';
import { BatchDrawer } from './batch-drawer.js';
import { BatchState } from './batch-state.js';
import { NewCodesDialog } from './new-codes-dialog.js';
import { NewCodesForm } from './new-codes-form.js';

/** Codes that are worth money to whoever redeems them. */
export function CodesView() {
  const { codes: messages } = useMessages();
  const batches = useRows('/api/v1/redemption-codes');
  const [isCreating, setCreating] = useState(false);
  const [opened, setOpened] = useState<CodeBatch>();
  const [made, setMade] = useState<CodeBatchWithCodes>();
  const create = (
    <Button kind="primary" onClick={() => setCreating(true)}>
      <Icon name="plus" />
      {messages.create}
    </Button>
  );
  return (
    <>
      <PageHeader title={messages.title} text={messages.text}>
        {create}
      </PageHeader>
      <Card>
        <RowList
          caption={messages.title}
          pages={batches}
          columns={useBatchColumns()}
          keyOf={(batch) => batch.id}
          nameOf={(batch) => messages.open(batch.count, showUsd(batch.amount))}
          onOpen={setOpened}
          below={({ note }) =>
            note !== '' && (
              <span className="text-muted block text-xs @4xl:hidden">
                <Breakable text={note} />
              </span>
            )
          }
          empty={
            <EmptyState title={messages.emptyTitle} text={messages.emptyText}>
              {create}
            </EmptyState>
          }
        />
      </Card>
      {isCreating && <NewCodesForm onMade={setMade} onClose={() => setCreating(false)} />}
      {opened && <BatchDrawer batch={opened} onClose={() => setOpened(undefined)} />}
      {made && <NewCodesDialog batch={made} onClose={() => setMade(undefined)} />}
    </>
  );
}

function useBatchColumns(): readonly Column<CodeBatch>[] {
  const { codes: messages, states } = useMessages();
  return [
    {
      header: messages.amount,
      cell: ({ row: { original: batch } }) => <Money usd={batch.amount} />,
    },
    {
      header: messages.redeemed,
      cell: ({ row: { original: batch } }) => `${batch.redeemed} / ${batch.count}`,
    },
    {
      header: messages.note,
      meta: { hideOnSmallScreens: true },
      cell: ({ row: { original: batch } }) => batch.note,
    },
    {
      header: messages.expires,
      meta: { hideOnSmallScreens: true },
      cell: ({ row: { original: batch } }) =>
        batch.expires_at ? <Moment at={batch.expires_at} /> : states.never,
    },
    {
      header: messages.created,
      meta: { hideOnPhones: true },
      cell: ({ row: { original: batch } }) => <Moment at={batch.created_at} />,
    },
    {
      header: messages.state,
      cell: ({ row: { original: batch } }) => <BatchState batch={batch} />,
    },
    {
      id: 'actions',
      header: '',
      meta: { isNumber: true },
      cell: ({ row: { original: batch } }) => <BatchSwitch batch={batch} />,
    },
  ];
}

/** Takes effect at once; why it did not stands below. */
function BatchSwitch({ batch }: { readonly batch: CodeBatch }) {
  const { codes: messages, done } = useMessages();
  const refresh = useRefresh();
  const change = useMutation({
    mutationFn: () =>
      api.patch('/api/v1/redemption-codes/{id}', {
        path: { id: batch.id },
        body: { disabled: !batch.disabled },
      }),
    onSuccess: () => {
      showToast(batch.disabled ? done.codesEnabled : done.codesDisabled);
      return refresh('/api/v1/redemption-codes');
    },
  });
  return (
    <div className="flex flex-col items-end gap-1 whitespace-normal">
      <Button
        kind="quiet"
        isSmall
        disabled={change.isPending}
        onClick={(event) => {
          event.stopPropagation();
          change.mutate();
        }}
      >
        {batch.disabled ? messages.enable : messages.disable}
      </Button>
      {change.error && <ErrorNotice error={change.error} />}
    </div>
  );
}
