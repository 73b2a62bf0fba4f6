import { useMutation } from '@tanstack/react-query';
import { useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { ApiError } from '../../api/answer.js';
import { session } from '../../api/session.js';
import { usePageSettings } from '../../api/use-me.js';
import { Brand } from '../../layout/brand.js';
import { Preferences } from '../../layout/preferences.js';
import { useMessages } from '../../messages/use-messages.js';
import { CodeStep } from './code-step.js';
import { PasswordStep } from './password-step.js';
import { SsoEntry } from './sso-entry.js';

export function LoginView() {
  const { login, product } = useMessages();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [needsCode, setNeedsCode] = useState(false);
  const { to } = useSearch({ from: '/login' });
  const { history } = useRouter();
  const settings = usePageSettings();
  const entry = useMutation({
    mutationFn: (code: string | undefined) => session.open(email, password, code),
    onSuccess: () => history.replace(to ?? '/'),
    onError: (error) => {
      if (error instanceof ApiError && error.param === 'code') setNeedsCode(true);
    },
  });
  const goBack = () => {
    setNeedsCode(false);
    entry.reset();
  };
  useEffect(() => {
    document.title = `${login.title} · ${product}`;
  }, [login, product]);
  return (
    <main className="mx-auto flex min-h-dvh max-w-sm flex-col justify-center gap-6 px-4 py-10">
      <div className="text-lg">
        <Brand />
      </div>
      {needsCode ? (
        <CodeStep
          // That a code is needed is no error.
          error={entry.variables === undefined ? null : entry.error}
          isPending={entry.isPending}
          onCode={entry.mutate}
          onBack={goBack}
        />
      ) : (
        <PasswordStep
          email={email}
          password={password}
          error={entry.error}
          isPending={entry.isPending}
          onEmail={setEmail}
          onPassword={setPassword}
          onSubmit={() => entry.mutate(undefined)}
        />
      )}
      {settings.data?.sso === true && <SsoEntry />}
      {settings.data?.first_run === true && (
        <p className="bg-accent-soft text-accent rounded-xl px-4 py-3 leading-6">{login.firstRun}</p>
      )}
      <Preferences />
    </main>
  );
}
