import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { User } from '../../api/console-api.js';
import { useMe } from '../../api/use-me.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Skeleton } from '../../components/skeleton.js';
import { useMessages } from '../../messages/use-messages.js';
import { FactorState } from '../account/factor-state.js';

/** A user's second factor, which an administrator may take away; their own only on their account's page. */
export function UserFactorCard({ user }: { readonly user: User }) {
  const { totp: messages, done } = useMessages();
  const refresh = useRefresh();
  const me = useMe();
  const state = useQuery(apiQuery('/api/v1/users/{id}/totp', { path: { id: user.id } }));
  const [isAsking, setAsking] = useState(false);
  const reset = async () => {
    await api.delete('/api/v1/users/{id}/totp', { path: { id: user.id } });
    await refresh('/api/v1/users/{id}', '/api/v1/audit');
  };
  return (
    <Card title={messages.title}>
      {state.isPending && <Skeleton />}
      {state.error && <ErrorNotice error={state.error} />}
      {state.data && (
        <div className="flex flex-col gap-4">
          <FactorState state={state.data} />
          {state.data.enabled && me.data && me.data.id !== user.id && (
            <Button className="self-start" onClick={() => setAsking(true)}>
              {messages.reset}
            </Button>
          )}
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          title={messages.resetTitle(user.email)}
          text={messages.resetText}
          action={messages.reset}
          done={done.factorOff}
          onConfirm={reset}
          onClose={() => setAsking(false)}
        />
      )}
    </Card>
  );
}
