import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { apiQuery } from '../../api/api-query.js';
import { useIsAdministrator } from '../../api/use-me.js';
import { BackLink } from '../../components/back-link.js';
import { Card } from '../../components/card.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Facts } from '../../components/facts.js';
import { Moment } from '../../components/moment.js';
import { PageHeader } from '../../components/page-header.js';
import { Skeleton } from '../../components/skeleton.js';
import { useMessages } from '../../messages/use-messages.js';
import { CallsCard } from '../detail/calls-card.js';
import { ChangesCard } from '../detail/changes-card.js';
import { Breakdown } from '../overview/breakdown.js';
import { PERIODS, type UsagePeriod } from '../overview/usage-period.js';
import { GroupsCard } from './groups-card.js';
import { InvitationsCard } from './invitations-card.js';
import { KeysCard } from './keys-card.js';
import { MembersCard } from './members-card.js';
import { ProjectActions } from './project-actions.js';
import { WalletCard } from './wallet-card.js';

/** Usage is shown of the last 30 days. */
const MONTH = PERIODS[2] as UsagePeriod;

/** A project: who is in it, their keys, its wallet and what it used, as far as the reader's role shows it. */
export function ProjectView() {
  const { projectId } = useParams({ from: '/signed-in/projects/$projectId' });
  const { projects: messages } = useMessages();
  const isAdministrator = useIsAdministrator();
  const project = useQuery(apiQuery('/api/v1/projects/{id}', { path: { id: projectId } }));
  if (project.error) return <ErrorNotice error={project.error} onRetry={() => void project.refetch()} />;
  if (!project.data) return <Skeleton lines={10} />;
  const { name, role, created_at: createdAt } = project.data;
  const mayManage = isAdministrator || role === 'owner';
  return (
    <>
      <PageHeader title={name} back={<BackLink to="/projects" name={messages.title} />}>
        <ProjectActions project={project.data} />
      </PageHeader>
      <div className="grid gap-4 xl:grid-cols-2">
        <Card
          title={messages.role}
          note={role === null ? undefined : messages.roleTexts[role]}
          className={mayManage ? '' : 'xl:col-span-2'}
        >
          <Facts
            facts={[
              [messages.memberRole, role === null ? messages.noRole : messages.roles[role]],
              [messages.projectCreated, <Moment at={createdAt} isAbsolute />],
            ]}
          />
        </Card>
        {mayManage && <WalletCard project={project.data} />}
        <div className="flex min-w-0 flex-col gap-4 xl:col-span-2">
          <MembersCard project={project.data} />
          {isAdministrator && <GroupsCard project={project.data} />}
          {mayManage && <InvitationsCard project={project.data} />}
          <KeysCard project={project.data} />
          <Breakdown period={MONTH} project={project.data} title={messages.usage} />
          <CallsCard title={messages.lastCalls} search={{ project_id: projectId }} />
          {isAdministrator && <ChangesCard targetId={projectId} />}
        </div>
      </div>
    </>
  );
}
