import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client.js';
import { session } from '../../api/session.js';
import { useMe, usePageSettings } from '../../api/use-me.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { ErrorNotice, useFaults } from '../../components/error-notice.js';
import { Field, TextInput } from '../../components/field.js';
import { PageHeader } from '../../components/page-header.js';
import { showToast } from '../../components/show-toast.js';
import { useMessages } from '../../messages/use-messages.js';
import { SecondFactorCard } from './second-factor-card.js';
import { SessionsCard } from './sessions-card.js';
import { SsoCard } from './sso-card.js';

export function AccountView() {
  const { account: messages, actions } = useMessages();
  const me = useMe();
  const settings = usePageSettings();
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation({
    mutationFn: () =>
      api.post('/api/v1/me/password', { body: { current_password: current, new_password: next } }),
    onSuccess: (answer) => {
      session.replace(answer);
      setCurrent('');
      setNext('');
      showToast(messages.done);
    },
  });
  const faultOf = useFaults(change.error);
  const faults = { current: faultOf('current_password'), next: faultOf('new_password') };
  const isAtField = faults.current !== undefined || faults.next !== undefined;
  return (
    <>
      <PageHeader title={messages.title} text={me.data && messages.text(me.data.email)} />
      <div className="grid gap-4 lg:grid-cols-2">
        <Card title={messages.changePassword} note={messages.hint}>
          <form
            className="flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              change.mutate();
            }}
          >
            <Field label={messages.current} error={faults.current}>
              <TextInput
                type="password"
                autoComplete="current-password"
                required
                value={current}
                onChange={(event) => setCurrent(event.target.value)}
              />
            </Field>
            <Field label={messages.next} error={faults.next}>
              <TextInput
                type="password"
                autoComplete="new-password"
                required
                minLength={8}
                value={next}
                onChange={(event) => setNext(event.target.value)}
              />
            </Field>
            {change.error && !isAtField && <ErrorNotice error={change.error} />}
            <Button kind="primary" type="submit" className="self-start" disabled={change.isPending}>
              {actions.change}
            </Button>
          </form>
        </Card>
        <SecondFactorCard />
        {settings.data?.sso === true && <SsoCard />}
        <div className="lg:col-span-2">
          <SessionsCard />
        </div>
      </div>
    </>
  );
}
