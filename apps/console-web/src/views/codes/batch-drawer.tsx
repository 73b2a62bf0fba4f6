import type { CodeBatch, RedemptionCode } from '../../api/console-api.js';
import { useNames } from '../../api/use-names.js';
import { useRows } from '../../api/use-rows.js';
import { Cut } from '../../components/cut.js';
import { EmptyState } from '../../components/empty-state.js';
import { Facts } from '../../components/facts.js';
import { Drawer } from '../../components/modal.js';
import { Moment } from '../../components/moment.js';
import { Money } from '../../components/money.js';
import { RowList } from '../../components/row-list.js';
import type { Column } from '../../components/table.js';
import { useMessages } from '../../messages/use-messages.js';
import { showUsd } from '../../money/usd.js';
import { BatchState } from './batch-state.js';

interface BatchDrawerProps {
  readonly batch: CodeBatch;
  readonly onClose: () => void;
}

/** What became of each code of a batch; of a code only its end is known. */
export function BatchDrawer({ batch, onClose }: BatchDrawerProps) {
  const { codes: messages, states } = useMessages();
  const codes = useRows('/api/v1/redemption-codes/{id}/codes', { path: { id: batch.id } });
  return (
    <Drawer title={messages.batch(batch.count, showUsd(batch.amount))} onClose={onClose}>
      <Facts
        facts={[
          [messages.amount, <Money usd={batch.amount} />],
          [messages.state, <BatchState batch={batch} />],
          [messages.redeemed, `${batch.redeemed} / ${batch.count}`],
          [messages.note, batch.note],
          [messages.created, <Moment at={batch.created_at} isAbsolute />],
          [messages.expires, batch.expires_at ? <Moment at={batch.expires_at} isAbsolute /> : states.never],
        ]}
      />
      <RowList
        caption={messages.title}
        pages={codes}
        columns={useCodeColumns(codes.rows)}
        keyOf={(code) => code.id}
        hasFixedHead
        empty={<EmptyState title={messages.emptyTitle} text={messages.emptyText} />}
      />
    </Drawer>
  );
}

function useCodeColumns(codes: readonly RedemptionCode[]): readonly Column<RedemptionCode>[] {
  const { codes: messages } = useMessages();
  const emailOf = useNames(
    '/api/v1/users',
    codes.map((code) => code.claimed_by),
  );
  const walletOf = useNames(
    '/api/v1/wallets',
    codes.map((code) => code.wallet_id),
  );
  return [
    {
      header: messages.code,
      cell: ({
        row: {
          original: { hint },
        },
      }) => <code className="font-mono text-xs">{`…${hint}`}</code>,
    },
    {
      header: messages.redeemedBy,
      cell: ({ row: { original: code } }) =>
        code.claimed_by === null ? (
          <span className="text-muted">{messages.notRedeemed}</span>
        ) : (
          <Cut text={emailOf(code.claimed_by) ?? ''} />
        ),
    },
    {
      header: messages.wallet,
      meta: { hideOnPhones: true },
      cell: ({ row: { original: code } }) =>
        code.wallet_id === null ? '–' : <Cut text={walletOf(code.wallet_id) ?? ''} />,
    },
    {
      header: messages.credited,
      meta: { isNumber: true },
      cell: ({ row: { original: code } }) =>
        code.credited_at === null ? '–' : <Moment at={code.credited_at} />,
    },
  ];
}
