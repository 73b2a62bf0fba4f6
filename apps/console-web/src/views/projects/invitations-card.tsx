import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Invitation, Project } from '../../api/console-api.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Moment } from '../../components/moment.js';
import { Skeleton } from '../../components/skeleton.js';
import { Table } from '../../components/table.js';
import { useMessages } from '../../messages/use-messages.js';
import { InviteForm } from './invite-form.js';

/** Links that are open, and how to make one; for owners and administrators. */
export function InvitationsCard({ project }: { readonly project: Project }) {
  const { invitations: messages, projects } = useMessages();
  const path = { id: project.id };
  const invitations = useQuery(apiQuery('/api/v1/projects/{id}/invitations', { path }));
  const [isInviting, setInviting] = useState(false);
  const rows = invitations.data?.data ?? [];
  return (
    <Card title={messages.title} note={messages.text}>
      {invitations.isPending && <Skeleton />}
      {invitations.error && <ErrorNotice error={invitations.error} />}
      {invitations.data && rows.length === 0 && <p className="text-muted">{messages.none}</p>}
      {rows.length > 0 && (
        <Table
          caption={messages.title}
          rows={rows}
          keyOf={(invitation) => invitation.id}
          columns={[
            {
              header: messages.email,
              cell: ({ row: { original: invitation } }) => invitation.email ?? messages.anybody,
            },
            {
              header: projects.memberRole,
              cell: ({ row: { original: invitation } }) => (
                <span className="whitespace-nowrap">{projects.roles[invitation.role]}</span>
              ),
            },
            {
              header: messages.expires,
              meta: { isNumber: true, hideOnPhones: true },
              cell: ({ row: { original: invitation } }) => <Moment at={invitation.expires_at} />,
            },
            {
              id: 'actions',
              header: '',
              meta: { isNumber: true },
              cell: ({ row: { original: invitation } }) => (
                <TakeBack project={project} invitation={invitation} />
              ),
            },
          ]}
        />
      )}
      <Button className="mt-3" onClick={() => setInviting(true)}>
        {messages.invite}
      </Button>
      {isInviting && <InviteForm project={project} onClose={() => setInviting(false)} />}
    </Card>
  );
}

interface TakeBackProps {
  readonly project: Project;
  readonly invitation: Invitation;
}

function TakeBack({ project, invitation }: TakeBackProps) {
  const { invitations: messages, done } = useMessages();
  const refresh = useRefresh();
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <Button kind="quiet" isSmall onClick={() => setAsking(true)}>
        {messages.takeBack}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={messages.takeBackTitle}
          text={messages.takeBackText}
          action={messages.takeBack}
          done={done.takenBack}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            const path = { id: project.id, invitation_id: invitation.id };
            await api.delete('/api/v1/projects/{id}/invitations/{invitation_id}', { path });
            await refresh('/api/v1/projects/{id}/invitations');
          }}
        />
      )}
    </>
  );
}
