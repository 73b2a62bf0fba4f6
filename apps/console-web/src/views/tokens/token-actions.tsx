import { useState } from 'react';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Token, TokenWithKey } from '../../api/console-api.js';
import { useIsAdministrator } from '../../api/use-me.js';
import { useProjects } from '../../api/use-projects.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { useMessages } from '../../messages/use-messages.js';
import { RotateDialog } from './rotate-dialog.js';
import { TokenForm } from './token-form.js';

type Action = 'edit' | 'rotate' | 'delete';

interface TokenActionsProps {
  readonly token: Token;
  readonly onKey: (token: TokenWithKey) => void;
  readonly onDeleted?: () => void;
  /** Whether they stand in the heading of a page, and not in a row. */
  readonly isOfPage?: boolean;
}

/** What can be done with a key; nothing for viewers of its project. */
export function TokenActions({ token, onKey, onDeleted, isOfPage = false }: TokenActionsProps) {
  const { tokens: messages, actions, done } = useMessages();
  const refresh = useRefresh();
  const [action, setAction] = useState<Action>();
  const close = () => setAction(undefined);
  const path = { id: token.id };
  const isAdministrator = useIsAdministrator();
  const role = useProjects().find((project) => project.wallet_id === token.wallet_id)?.role;
  if (role === 'viewer' && !isAdministrator) return null;
  const kindOf = (name: Action) => (isOfPage ? (name === 'delete' ? 'dangerOutline' : 'plain') : 'quiet');
  const names = { edit: actions.edit, rotate: messages.rotate, delete: actions.delete };
  return (
    <div
      role="group"
      aria-label={messages.actionsFor(token.name)}
      className={`flex flex-wrap justify-end sm:flex-nowrap ${isOfPage ? 'gap-2' : 'gap-1'}`}
    >
      {(['edit', 'rotate', 'delete'] as const).map((name) => (
        <Button key={name} kind={kindOf(name)} isSmall={!isOfPage} onClick={() => setAction(name)}>
          {names[name]}
        </Button>
      ))}
      {action === 'edit' && <TokenForm token={token} onKey={onKey} onClose={close} />}
      {action === 'rotate' && <RotateDialog token={token} onKey={onKey} onClose={close} />}
      {action === 'delete' && (
        <ConfirmDialog
          title={messages.deleteTitle(token.name)}
          text={messages.deleteText}
          action={actions.delete}
          done={done.deleted(token.name)}
          onClose={close}
          onConfirm={async () => {
            await api.delete('/api/v1/tokens/{id}', { path });
            onDeleted?.();
            await refresh('/api/v1/tokens');
          }}
        />
      )}
    </div>
  );
}
