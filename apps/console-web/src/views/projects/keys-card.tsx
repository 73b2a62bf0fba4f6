import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { apiQuery } from '../../api/api-query.js';
import type { Project, Token, TokenWithKey } from '../../api/console-api.js';
import { useIsAdministrator, useMe } from '../../api/use-me.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { Cut } from '../../components/cut.js';
import { moneyColumn } from '../../components/money-column.js';
import { RowList } from '../../components/row-list.js';
import { actionsColumn, ROW_LINK_ABOVE } from '../../components/table.js';
import { useRows } from '../../api/use-rows.js';
import { useMessages } from '../../messages/use-messages.js';
import { NewKeyDialog } from '../tokens/new-key-dialog.js';
import { TokenActions } from '../tokens/token-actions.js';
import { TokenForm } from '../tokens/token-form.js';
import { TokenState } from '../tokens/token-state.js';

/** Keys that a project pays for: all of them, or a member's own. */
export function KeysCard({ project }: { readonly project: Project }) {
  const { projects: messages, tokens, states } = useMessages();
  const isAdministrator = useIsAdministrator();
  const me = useMe();
  const mayMake = isAdministrator || project.role === 'owner' || project.role === 'member';
  const keys = useRows('/api/v1/tokens', { query: { project_id: project.id } });
  const members = useQuery(apiQuery('/api/v1/projects/{id}/members', { path: { id: project.id } }));
  const emailOf = (token: Token) =>
    members.data?.data.find((member) => member.user_id === token.user_id)?.email ??
    (token.user_id === me.data?.id ? me.data.email : states.none);
  const [isCreating, setCreating] = useState(false);
  const [keyed, setKeyed] = useState<TokenWithKey>();
  return (
    <Card title={messages.keys}>
      <RowList
        caption={messages.keys}
        pages={keys}
        keyOf={(token) => token.id}
        empty={<p className="text-muted">{messages.noKeys}</p>}
        columns={[
          {
            header: tokens.name,
            cell: ({ row: { original: token } }) => <KeyName token={token} email={emailOf(token)} />,
          },
          moneyColumn(keys.rows, {
            header: tokens.used,
            meta: { hideOnPhones: true },
            usd: (token) => token.used,
          }),
          { header: tokens.state, cell: ({ row: { original: token } }) => <TokenState token={token} /> },
          actionsColumn<Token>((token) => <TokenActions token={token} onKey={setKeyed} />),
        ]}
      />
      {mayMake && (
        <Button className="mt-3" onClick={() => setCreating(true)}>
          {tokens.create}
        </Button>
      )}
      {isCreating && <TokenForm projectId={project.id} onKey={setKeyed} onClose={() => setCreating(false)} />}
      {keyed && <NewKeyDialog token={keyed} onClose={() => setKeyed(undefined)} />}
    </Card>
  );
}

function KeyName({ token, email }: { readonly token: Token; readonly email: string }) {
  return (
    <>
      <Link to="/tokens/$tokenId" params={{ tokenId: token.id }} className={ROW_LINK_ABOVE}>
        <Cut text={token.name} isWide />
      </Link>
      <span className="text-muted text-xs">
        <Cut text={email} isWide />
      </span>
    </>
  );
}
