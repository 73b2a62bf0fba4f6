import { useRouter, useSearch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { session } from '../../api/session.js';
import { usePageSettings } from '../../api/use-me.js';
import { Brand } from '../../layout/brand.js';
import { Preferences } from '../../layout/preferences.js';
import { useMessages } from '../../messages/use-messages.js';
import { CodeStep } from './code-step.js';
import { type Entry, PasswordStep } from './password-step.js';
import { SsoEntry } from './sso-entry.js';

export function LoginView() {
  const { login, product } = useMessages();
  const [entry, setEntry] = useState<Entry>({ email: '', password: '' });
  const [needsCode, setNeedsCode] = useState(false);
  const { to } = useSearch({ from: '/login' });
  const { history } = useRouter();
  const settings = usePageSettings();
  const goOn = () => history.replace(to ?? '/');
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
          onCode={async (code) => {
            await session.open(entry.email, entry.password, code);
            goOn();
          }}
          onBack={() => setNeedsCode(false)}
        />
      ) : (
        <PasswordStep
          entry={entry}
          onCodeNeeded={(written) => {
            setEntry(written);
            setNeedsCode(true);
          }}
          onDone={goOn}
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
