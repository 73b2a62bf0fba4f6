import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import { useRefresh } from '../../api/api-query.js';
import type { OpenSession } from '../../api/console-api.js';
import { Badge } from '../../components/badge.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Moment } from '../../components/moment.js';
import { showToast } from '../../components/show-toast.js';
import { Skeleton } from '../../components/skeleton.js';
import { Table } from '../../components/table.js';
import { useMessages } from '../../messages/use-messages.js';

/** Where a user is signed in, to be ended one by one; the reader's own sessions by default. */
export function SessionsCard({ userId }: { readonly userId?: string }) {
  const { sessions: messages, done } = useMessages();
  const refresh = useRefresh();
  const sessions = useQuery({
    queryKey: [userId === undefined ? '/api/v1/me/sessions' : '/api/v1/users/{id}/sessions', userId],
    queryFn: () =>
      userId === undefined
        ? api.get('/api/v1/me/sessions')
        : api.get('/api/v1/users/{id}/sessions', { path: { id: userId } }),
  });
  const end = useMutation({
    mutationFn: ({ id }: OpenSession) =>
      userId === undefined
        ? api.delete('/api/v1/me/sessions/{id}', { path: { id } })
        : api.delete('/api/v1/users/{id}/sessions/{session_id}', { path: { id: userId, session_id: id } }),
    onSuccess: (_answer, { address }) => showToast(done.sessionEnded(address)),
    onSettled: () => refresh('/api/v1/me/sessions', '/api/v1/users/{id}/sessions'),
  });
  return (
    <Card title={messages.title} note={messages.text}>
      {sessions.isPending && <Skeleton />}
      {sessions.error && <ErrorNotice error={sessions.error} />}
      {end.error && <ErrorNotice error={end.error} />}
      {sessions.data?.data.length === 0 && <p className="text-muted">{messages.none}</p>}
      {sessions.data && sessions.data.data.length > 0 && (
        <Table
          caption={messages.title}
          rows={sessions.data.data}
          keyOf={(session) => session.id}
          columns={[
            {
              header: messages.address,
              cell: ({ row: { original: session } }) => <SessionAddress session={session} />,
            },
            {
              header: messages.created,
              meta: { hideOnPhones: true },
              cell: ({ row: { original: session } }) => <Moment at={session.created_at} />,
            },
            {
              header: messages.used,
              cell: ({ row: { original: session } }) => <Moment at={session.renewed_at} />,
            },
            {
              id: 'actions',
              header: '',
              meta: { isNumber: true },
              cell: ({ row: { original: session } }) =>
                !session.current && (
                  <Button
                    kind="quiet"
                    isSmall
                    disabled={end.isPending}
                    aria-label={messages.endOf(session.address)}
                    onClick={() => end.mutate(session)}
                  >
                    {messages.end}
                  </Button>
                ),
            },
          ]}
        />
      )}
    </Card>
  );
}

function SessionAddress({ session }: { readonly session: OpenSession }) {
  const { sessions: messages } = useMessages();
  return (
    <>
      <span className="inline-flex flex-wrap items-center gap-2">
        <code className="font-mono text-xs">{session.address}</code>
        {session.current && <Badge tone="accent">{messages.current}</Badge>}
      </span>
      <span className="text-muted block text-xs @sm:hidden">
        {messages.created} <Moment at={session.created_at} />
      </span>
    </>
  );
}
