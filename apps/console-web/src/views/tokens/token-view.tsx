import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { Fragment, useState } from 'react';
import { apiQuery } from '../../api/api-query.js';
import type { Budget, Token, TokenWithKey } from '../../api/console-api.js';
import { useIsAdministrator } from '../../api/use-me.js';
import { useNames } from '../../api/use-names.js';
import { useProjects } from '../../api/use-projects.js';
import { BackLink } from '../../components/back-link.js';
import { Card } from '../../components/card.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Facts } from '../../components/facts.js';
import { Moment } from '../../components/moment.js';
import { PageHeader } from '../../components/page-header.js';
import { Skeleton } from '../../components/skeleton.js';
import { useMessages } from '../../messages/use-messages.js';
import { CaptureCard, CaptureUntil } from '../captures/capture-card.js';
import { CallsCard } from '../detail/calls-card.js';
import { ChangesCard } from '../detail/changes-card.js';
import { LimitsCard } from '../detail/limits-card.js';
import { useBudgets } from '../limits/use-budgets.js';
import { FormerKey } from './former-key.js';
import { NewKeyDialog } from './new-key-dialog.js';
import { TokenActions } from './token-actions.js';
import { TokenState } from './token-state.js';
import { TokenUse } from './token-use.js';

/** A key: whose it is, what it may and what it did. */
export function TokenView() {
  const { tokenId } = useParams({ from: '/signed-in/tokens/$tokenId' });
  const { tokens: messages, detail } = useMessages();
  const isAdministrator = useIsAdministrator();
  const navigate = useNavigate();
  const token = useQuery(apiQuery('/api/v1/tokens/{id}', { path: { id: tokenId } }));
  const budgets = useBudgets([tokenId]);
  const [keyed, setKeyed] = useState<TokenWithKey>();
  if (token.error) return <ErrorNotice error={token.error} onRetry={() => void token.refetch()} />;
  if (!token.data || budgets.isPending) return <Skeleton lines={10} />;
  return (
    <>
      <PageHeader title={token.data.name} back={<BackLink to="/tokens" name={messages.title} />}>
        <TokenActions
          isOfPage
          token={token.data}
          onKey={setKeyed}
          onDeleted={() => void navigate({ to: '/tokens' })}
        />
      </PageHeader>
      <div className="grid gap-4 xl:grid-cols-2">
        <Card title={messages.key}>
          <TokenFacts token={token.data} budgets={budgets.of(tokenId)} />
          {token.data.former_key_until && <FormerKey tokenId={tokenId} until={token.data.former_key_until} />}
        </Card>
        <LimitsCard limits={token.data.limits} budgets={budgets.of(tokenId)} />
        <div className="xl:col-span-2">
          <CallsCard title={detail.lastCalls} search={{ token_id: tokenId }} />
        </div>
        {isAdministrator && (
          <div className="flex flex-col gap-4 xl:col-span-2">
            <CaptureCard token={token.data} />
            <ChangesCard targetId={tokenId} />
          </div>
        )}
      </div>
      {keyed && <NewKeyDialog token={keyed} onClose={() => setKeyed(undefined)} />}
    </>
  );
}

/** Those stand in the card of limits. */
const NO_BUDGETS: readonly Budget[] = [];

interface TokenFactsProps {
  readonly token: Token;
  readonly budgets: readonly Budget[];
}

function TokenFacts({ token, budgets }: TokenFactsProps) {
  const { tokens: messages, logs, captures, projects } = useMessages();
  const isAdministrator = useIsAdministrator();
  const wallet = useNames('/api/v1/wallets', [token.wallet_id])(token.wallet_id);
  const project = useProjects().find(({ wallet_id: id }) => id === token.wallet_id);
  const email = useNames('/api/v1/users', [token.user_id], { enabled: isAdministrator })(token.user_id);
  return (
    <Facts
      facts={[
        [
          messages.state,
          <span className="inline-flex flex-wrap items-center gap-2">
            <TokenState token={token} budgets={budgets} />
            {token.disabled_by && messages.disabledBy[token.disabled_by]}
          </span>,
        ],
        [messages.key, <code className="font-mono text-xs">{token.key_hint}</code>],
        [
          projects.single,
          project && (
            <Link
              to="/projects/$projectId"
              params={{ projectId: project.id }}
              className="text-accent underline underline-offset-4"
            >
              {project.name}
            </Link>
          ),
        ],
        [
          messages.wallet,
          wallet !== undefined && (
            <Link
              to="/wallets/$walletId"
              params={{ walletId: token.wallet_id }}
              className="text-accent underline underline-offset-4"
            >
              {wallet}
            </Link>
          ),
        ],
        [
          logs.user_id,
          isAdministrator && (
            <Link
              to="/users/$userId"
              params={{ userId: token.user_id }}
              className="text-accent underline underline-offset-4"
            >
              {email}
            </Link>
          ),
        ],
        [messages.used, <TokenUse token={token} budgets={NO_BUDGETS} isNamed />],
        [messages.models, token.allowed_models?.join(', ') ?? messages.allModels],
        [messages.allowedIps, token.allowed_ips && <Addresses addresses={token.allowed_ips} />],
        [messages.cache, token.cache],
        [captures.title, token.capture && <CaptureUntil capture={token.capture} />],
        [messages.expires, token.expires_at && <Moment at={token.expires_at} isAbsolute />],
        [messages.created, <Moment at={token.created_at} isAbsolute />],
      ]}
    />
  );
}

/** With line breaks between them; one that is wider than a line breaks anywhere. */
function Addresses({ addresses }: { readonly addresses: readonly string[] }) {
  return addresses.map((address, at) => (
    <Fragment key={address}>
      <span className="inline-block max-w-full wrap-anywhere">
        {at < addresses.length - 1 ? `${address},` : address}
      </span>{' '}
    </Fragment>
  ));
}
