import { Link } from '@tanstack/react-router';
import type { Token } from '../../api/console-api.js';
import { useRows } from '../../api/use-rows.js';
import { Card, CARD_LINK } from '../../components/card.js';
import { Cut } from '../../components/cut.js';
import { RowList } from '../../components/row-list.js';
import { type Column, ROW_LINK_ABOVE } from '../../components/table.js';
import { useMessages } from '../../messages/use-messages.js';
import { type Budgets, useBudgets } from '../limits/use-budgets.js';
import { TokenState } from '../tokens/token-state.js';
import { TokenUse } from '../tokens/token-use.js';
import { usePayers } from '../tokens/use-payers.js';

const SHOWN = 10;

/** Keys that a user has, on whatever wallet, and the way to all of them; for administrators. */
export function UserKeysCard({ userId }: { readonly userId: string }) {
  const { users: messages, tokens } = useMessages();
  const keys = useRows('/api/v1/tokens', { query: { user_id: userId, limit: SHOWN } });
  const budgets = useBudgets(keys.rows.map((token) => token.id));
  return (
    <Card title={tokens.title}>
      <RowList
        caption={tokens.title}
        pages={keys}
        isPending={budgets.isPending}
        columns={useKeyColumns(keys.rows, budgets)}
        keyOf={(token) => token.id}
        empty={<p className="text-muted">{messages.noKeys}</p>}
      />
      {keys.rows.length > 0 && !budgets.isPending && (
        <Link to="/tokens" search={{ user_id: userId }} className={CARD_LINK}>
          {messages.allKeys}
        </Link>
      )}
    </Card>
  );
}

function useKeyColumns(keys: readonly Token[], budgets: Budgets): readonly Column<Token>[] {
  const { tokens: messages } = useMessages();
  const payerOf = usePayers(keys);
  return [
    {
      header: messages.name,
      cell: ({ row: { original: token } }) => (
        <>
          <Link to="/tokens/$tokenId" params={{ tokenId: token.id }} className={ROW_LINK_ABOVE}>
            <Cut text={token.name} isWide />
          </Link>
          <span className="text-muted text-xs">
            {/* The line is there before the wallet is known. */}
            <Cut text={payerOf(token) || '\u00A0'} isWide />
          </span>
        </>
      ),
    },
    {
      header: messages.used,
      meta: { isNumber: true, hideOnPhones: true },
      cell: ({ row: { original: token } }) => <TokenUse token={token} budgets={budgets.of(token.id)} />,
    },
    {
      header: messages.state,
      cell: ({ row: { original: token } }) => <TokenState token={token} budgets={budgets.of(token.id)} />,
    },
  ];
}
