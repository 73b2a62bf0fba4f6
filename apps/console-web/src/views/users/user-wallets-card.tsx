import { Link } from '@tanstack/react-router';
import { useRows } from '../../api/use-rows.js';
import { Card } from '../../components/card.js';
import { Cut } from '../../components/cut.js';
import { moneyColumn } from '../../components/money-column.js';
import { RowList } from '../../components/row-list.js';
import { ROW_LINK } from '../../components/table.js';
import { useMessages } from '../../messages/use-messages.js';

const SHOWN = 10;

/** What a user's own wallets have; for administrators. */
export function UserWalletsCard({ userId }: { readonly userId: string }) {
  const { users: messages, wallets: texts } = useMessages();
  const wallets = useRows('/api/v1/wallets', { query: { user_id: userId, limit: SHOWN } });
  return (
    <Card title={texts.title}>
      <RowList
        caption={texts.title}
        pages={wallets}
        keyOf={(wallet) => wallet.id}
        empty={<p className="text-muted">{messages.noWallets}</p>}
        columns={[
          {
            header: texts.name,
            cell: ({ row: { original: wallet } }) => (
              <Link to="/wallets/$walletId" params={{ walletId: wallet.id }} className={ROW_LINK}>
                <Cut text={wallet.name} isWide />
              </Link>
            ),
          },
          moneyColumn(wallets.rows, { header: texts.balance, usd: (wallet) => wallet.balance }),
          moneyColumn(wallets.rows, {
            header: texts.available,
            meta: { hideOnSmallScreens: true },
            usd: (wallet) => wallet.available,
          }),
        ]}
      />
    </Card>
  );
}
