import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Skeleton } from '../../components/skeleton.js';
import { useMessages } from '../../messages/use-messages.js';
import { FactorState } from './factor-state.js';
import { PasswordDialog } from './password-dialog.js';
import { SetUpFactor } from './set-up-factor.js';

/** The reader's own second factor. */
export function SecondFactorCard() {
  const { totp: messages } = useMessages();
  const state = useQuery(apiQuery('/api/v1/me/totp'));
  const [opened, setOpened] = useState<'set up' | 'disable'>();
  const close = () => setOpened(undefined);
  return (
    <Card title={messages.title} note={messages.text}>
      {state.isPending && <Skeleton />}
      {state.error && <ErrorNotice error={state.error} />}
      {state.data && (
        <div className="flex flex-col gap-4">
          <FactorState state={state.data} />
          {state.data.enabled ? (
            <Button className="self-start" onClick={() => setOpened('disable')}>
              {messages.disable}
            </Button>
          ) : (
            <Button kind="primary" className="self-start" onClick={() => setOpened('set up')}>
              {messages.setUp}
            </Button>
          )}
        </div>
      )}
      {opened === 'set up' && <SetUpFactor onClose={close} />}
      {opened === 'disable' && <DisableFactor onClose={close} />}
    </Card>
  );
}

/** Takes the password and a code, as setting it up did. */
function DisableFactor({ onClose }: { readonly onClose: () => void }) {
  const { totp: messages, done } = useMessages();
  const refresh = useRefresh();
  return (
    <PasswordDialog
      title={messages.disableTitle}
      action={messages.disable}
      code="required"
      done={done.factorOff}
      onSubmit={async ({ current_password, code = '' }) => {
        await api.post('/api/v1/me/totp/disable', { body: { current_password, code } });
        await refresh('/api/v1/me/totp');
      }}
      onClose={onClose}
    />
  );
}
