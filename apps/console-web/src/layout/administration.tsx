import { Outlet } from '@tanstack/react-router';
import { useMe } from '../api/use-me.js';
import { ErrorNotice } from '../components/error-notice.js';
import { PageHeader } from '../components/page-header.js';
import { Skeleton } from '../components/skeleton.js';
import { useMessages } from '../messages/use-messages.js';
import { HomeLink } from './home-link.js';

/** Draws a view of administrators for them alone. */
export function Administration() {
  const { errors } = useMessages();
  const me = useMe();
  if (me.error) return <ErrorNotice error={me.error} onRetry={() => void me.refetch()} />;
  if (!me.data) return <Skeleton lines={8} />;
  if (me.data.role === 'administrator') return <Outlet />;
  return (
    <div role="alert">
      <PageHeader title={errors.forbiddenTitle} text={errors.forbidden} />
      <HomeLink />
    </div>
  );
}
