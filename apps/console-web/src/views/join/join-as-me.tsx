import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client.js';
import { session } from '../../api/session.js';
import { useMe } from '../../api/use-me.js';
import { Button } from '../../components/button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { useMessages } from '../../messages/use-messages.js';

interface JoinAsMeProps {
  readonly token: string;
  readonly onJoined: (projectId: string) => void;
  readonly onSignedOut: () => void;
}

/** For somebody who is signed in. */
export function JoinAsMe({ token, onJoined, onSignedOut }: JoinAsMeProps) {
  const { invitations: messages } = useMessages();
  const me = useMe();
  const queries = useQueryClient();
  const joining = useMutation({
    mutationFn: () => api.post('/api/v1/invitations/accept', { body: { token } }),
    onSuccess: ({ project_id: projectId }) => {
      void queries.invalidateQueries();
      onJoined(projectId);
    },
  });
  const signOut = async () => {
    await api.post('/api/v1/auth/logout').catch(() => undefined);
    session.end();
    queries.removeQueries({ queryKey: ['/api/v1/me'] });
    onSignedOut();
  };
  return (
    <>
      {joining.error && <ErrorNotice error={joining.error} />}
      <Button kind="primary" disabled={!me.data || joining.isPending} onClick={() => joining.mutate()}>
        {messages.joinAs(me.data?.email ?? '')}
      </Button>
      <Button kind="quiet" onClick={() => void signOut()}>
        {messages.joinAsOther}
      </Button>
    </>
  );
}
