import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Skeleton } from '../../components/skeleton.js';
import { useMessages } from '../../messages/use-messages.js';
import { leaveForIssuer } from '../login/sso-target.js';
import { PasswordDialog } from './password-dialog.js';

/** Whether the reader may sign in by single sign-on, and how they get there. */
export function SsoCard() {
  const { sso: messages } = useMessages();
  const state = useQuery(apiQuery('/api/v1/me/sso'));
  const [isLinking, setLinking] = useState(false);
  return (
    <Card title={messages.title} note={messages.text}>
      {state.isPending && <Skeleton />}
      {state.error && <ErrorNotice error={state.error} />}
      {state.data?.linked === true && <p>{messages.linked}</p>}
      {state.data?.linked === false && (
        <Button className="self-start" onClick={() => setLinking(true)}>
          {messages.link}
        </Button>
      )}
      {isLinking && <LinkDialog onClose={() => setLinking(false)} />}
    </Card>
  );
}

function LinkDialog({ onClose }: { readonly onClose: () => void }) {
  const { sso: messages } = useMessages();
  return (
    <PasswordDialog
      title={messages.link}
      action={messages.link}
      code="if there is one"
      onSubmit={async (body) => leaveForIssuer((await api.post('/api/v1/me/sso', { body })).url, '/account')}
      onClose={onClose}
    />
  );
}
