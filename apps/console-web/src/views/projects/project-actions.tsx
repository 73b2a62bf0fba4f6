import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Project } from '../../api/console-api.js';
import { useIsAdministrator, useMe } from '../../api/use-me.js';
import { Button } from '../../components/button.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { useMessages } from '../../messages/use-messages.js';
import { RenameForm } from './rename-form.js';

/** What somebody may do with a project as a whole, by their role. */
export function ProjectActions({ project }: { readonly project: Project }) {
  const { projects: messages, done } = useMessages();
  const isAdministrator = useIsAdministrator();
  const me = useMe();
  const refresh = useRefresh();
  const navigate = useNavigate();
  const [action, setAction] = useState<'rename' | 'leave' | 'end'>();
  const close = () => setAction(undefined);
  const goAway = async () => {
    await navigate({ to: '/projects' });
    await refresh('/api/v1/projects', '/api/v1/tokens', '/api/v1/wallets');
  };
  return (
    <>
      {(isAdministrator || project.role === 'owner') && (
        <Button onClick={() => setAction('rename')}>{messages.rename}</Button>
      )}
      {project.role !== null && <Button onClick={() => setAction('leave')}>{messages.leave}</Button>}
      {isAdministrator && (
        <Button kind="dangerOutline" onClick={() => setAction('end')}>
          {messages.end}
        </Button>
      )}
      {action === 'rename' && <RenameForm project={project} onClose={close} />}
      {action === 'leave' && me.data && (
        <ConfirmDialog
          title={messages.leaveTitle(project.name)}
          text={messages.leaveText}
          action={messages.leave}
          done={done.left(project.name)}
          onClose={close}
          onConfirm={async () => {
            const path = { id: project.id, user_id: me.data.id };
            await api.delete('/api/v1/projects/{id}/members/{user_id}', { path });
            await goAway();
          }}
        />
      )}
      {action === 'end' && (
        <ConfirmDialog
          title={messages.endTitle(project.name)}
          text={messages.endText}
          action={messages.end}
          done={done.ended(project.name)}
          onClose={close}
          onConfirm={async () => {
            await api.delete('/api/v1/projects/{id}', { path: { id: project.id } });
            await goAway();
          }}
        />
      )}
    </>
  );
}
