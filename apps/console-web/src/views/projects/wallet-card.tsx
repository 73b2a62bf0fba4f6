import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../../api/api-query.js';
import type { Project } from '../../api/console-api.js';
import { Card, CARD_LINK } from '../../components/card.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Facts } from '../../components/facts.js';
import { Money } from '../../components/money.js';
import { Skeleton } from '../../components/skeleton.js';
import { useMessages } from '../../messages/use-messages.js';

/** What a project's wallet has; for its owners and administrators. */
export function WalletCard({ project }: { readonly project: Project }) {
  const { projects: messages } = useMessages();
  const wallet = useQuery(apiQuery('/api/v1/wallets/{id}', { path: { id: project.wallet_id } }));
  return (
    <Card title={messages.wallet}>
      {wallet.isPending && <Skeleton />}
      {wallet.error && <ErrorNotice error={wallet.error} />}
      {wallet.data && (
        <Facts
          facts={[
            [messages.name, wallet.data.name],
            [messages.balance, <Money usd={wallet.data.balance} />],
            [messages.available, <Money usd={wallet.data.available} />],
          ]}
        />
      )}
      <Link to="/wallets/$walletId" params={{ walletId: project.wallet_id }} className={CARD_LINK}>
        {messages.ledger}
      </Link>
    </Card>
  );
}
