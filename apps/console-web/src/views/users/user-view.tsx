import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { apiQuery } from '../../api/api-query.js';
import { BackLink } from '../../components/back-link.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Facts } from '../../components/facts.js';
import { Moment } from '../../components/moment.js';
import { PageHeader } from '../../components/page-header.js';
import { Skeleton } from '../../components/skeleton.js';
import { useMessages } from '../../messages/use-messages.js';
import { SessionsCard } from '../account/sessions-card.js';
import { CallsCard } from '../detail/calls-card.js';
import { ChangesCard } from '../detail/changes-card.js';
import { LimitsCard } from '../detail/limits-card.js';
import { useBudgets } from '../limits/use-budgets.js';
import { UserForm } from './user-form.js';
import { UserState } from './user-state.js';
import { UserFactorCard } from './user-factor-card.js';
import { UserKeysCard } from './user-keys-card.js';
import { UserWalletsCard } from './user-wallets-card.js';

/** A user: what they may, what they have and called, and who changed them. */
export function UserView() {
  const { userId } = useParams({ from: '/signed-in/administration/users/$userId' });
  const { users: messages, actions } = useMessages();
  const user = useQuery(apiQuery('/api/v1/users/{id}', { path: { id: userId } }));
  const budgets = useBudgets([userId]);
  const [isEditing, setEditing] = useState(false);
  if (user.error) return <ErrorNotice error={user.error} onRetry={() => void user.refetch()} />;
  if (!user.data || budgets.isPending) return <Skeleton lines={10} />;
  const { data } = user;
  return (
    <>
      <PageHeader title={data.email} back={<BackLink to="/users" name={messages.title} />}>
        <Button onClick={() => setEditing(true)}>{actions.edit}</Button>
      </PageHeader>
      <div className="grid gap-4 xl:grid-cols-2">
        <Card title={messages.single}>
          <Facts
            facts={[
              [messages.name, data.name],
              [messages.role, messages.roles[data.role]],
              [messages.state, <UserState user={data} />],
              [messages.created, <Moment at={data.created_at} isAbsolute />],
            ]}
          />
        </Card>
        <LimitsCard limits={data.limits} budgets={budgets.of(userId)} />
        <UserKeysCard userId={userId} />
        <UserWalletsCard userId={userId} />
        <div className="xl:col-span-2">
          <CallsCard title={messages.lastCalls} search={{ user_id: userId }} hasKeys />
        </div>
        <div className="xl:col-span-2">
          <UserFactorCard user={data} />
        </div>
        <div className="xl:col-span-2">
          <SessionsCard userId={userId} />
        </div>
        <div className="xl:col-span-2">
          <ChangesCard targetId={userId} />
        </div>
      </div>
      {isEditing && <UserForm user={data} onClose={() => setEditing(false)} />}
    </>
  );
}
