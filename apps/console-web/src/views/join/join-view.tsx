import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { session } from '../../api/session.js';
import { ErrorNotice, useFaults } from '../../components/error-notice.js';
import { Skeleton } from '../../components/skeleton.js';
import { Brand } from '../../layout/brand.js';
import { Preferences } from '../../layout/preferences.js';
import { useMessages } from '../../messages/use-messages.js';
import { forgetInvitation, takeInvitation } from './invitation.js';
import { JoinAsMe } from './join-as-me.js';
import { RegisterForm } from './register-form.js';

/** Where the link of an invitation leads: to its project, as the user that somebody is or becomes by it. */
export function JoinView() {
  const { invitations: messages, projects, product, login } = useMessages();
  const navigate = useNavigate();
  const [token] = useState(takeInvitation);
  const [isSignedIn, setSignedIn] = useState(session.isOpen);
  const invitation = useQuery({
    queryKey: ['/api/v1/invitations/look', token],
    queryFn: () => session.lookAtInvitation(token),
    retry: false,
    refetchOnWindowFocus: false,
  });
  const gone = useFaults(invitation.error)('token');
  useEffect(() => {
    document.title = `${messages.joinTitle} · ${product}`;
  }, [messages, product]);
  const goOn = (projectId?: string) => {
    forgetInvitation();
    if (projectId === undefined) void navigate({ to: '/projects', replace: true });
    else void navigate({ to: '/projects/$projectId', params: { projectId }, replace: true });
  };
  return (
    <main className="mx-auto flex min-h-dvh max-w-sm flex-col justify-center gap-6 px-4 py-10">
      <div className="text-lg">
        <Brand />
      </div>
      <section className="border-line bg-surface flex flex-col gap-4 rounded-2xl border p-6">
        <h1 className="text-lg font-semibold">{messages.joinTitle}</h1>
        {invitation.isPending && <Skeleton />}
        {invitation.error && (
          <>
            {gone === undefined ? (
              <ErrorNotice error={invitation.error} />
            ) : (
              <p role="alert" className="bg-bad-soft text-bad rounded-lg px-4 py-3 text-balance">
                {gone}
              </p>
            )}
            <Link to="/" className="text-accent touch:min-h-11 touch:content-center font-medium">
              {login.submit}
            </Link>
          </>
        )}
        {invitation.data && (
          <>
            <p className="wrap-anywhere">
              {messages.joinText(invitation.data.project_name, projects.roles[invitation.data.role])}
            </p>
            <p className="text-muted text-xs">{projects.roleTexts[invitation.data.role]}</p>
            {isSignedIn ? (
              <JoinAsMe token={token} onJoined={goOn} onSignedOut={() => setSignedIn(false)} />
            ) : (
              <RegisterForm token={token} email={invitation.data.email} onJoined={goOn} />
            )}
          </>
        )}
      </section>
      <Preferences />
    </main>
  );
}
