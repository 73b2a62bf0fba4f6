import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Project, ProjectMember } from '../../api/console-api.js';
import { useIsAdministrator, useMe } from '../../api/use-me.js';
import { Breakable } from '../../components/breakable.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Select } from '../../components/field.js';
import { Moment } from '../../components/moment.js';
import { showToast } from '../../components/show-toast.js';
import { Skeleton } from '../../components/skeleton.js';
import { Table } from '../../components/table.js';
import { useMessages } from '../../messages/use-messages.js';
import { AddMemberForm } from './add-member-form.js';
import { ROLES } from './role-choice.js';

/** Who is in a project; owners and administrators change that. */
export function MembersCard({ project }: { readonly project: Project }) {
  const { projects: messages } = useMessages();
  const isAdministrator = useIsAdministrator();
  const me = useMe();
  const mayManage = isAdministrator || project.role === 'owner';
  const members = useQuery(apiQuery('/api/v1/projects/{id}/members', { path: { id: project.id } }));
  const [isAdding, setAdding] = useState(false);
  const rows = members.data?.data ?? [];
  // The API shows a member themselves alone.
  const ofMember = project.role === 'member' ? messages.membersOwn : undefined;
  const note = mayManage ? messages.membersText : ofMember;
  return (
    <Card title={messages.members} note={note}>
      {members.isPending && <Skeleton />}
      {members.error && <ErrorNotice error={members.error} />}
      {members.data && rows.length === 0 && <p className="text-muted">{messages.noMembers}</p>}
      {rows.length > 0 && (
        <Table
          caption={messages.members}
          rows={rows}
          keyOf={(member) => member.user_id}
          columns={[
            {
              header: messages.user,
              cell: ({ row: { original: member } }) => <MemberName member={member} />,
            },
            {
              header: messages.since,
              meta: { isNumber: true, hideOnSmallScreens: true },
              cell: ({ row: { original: member } }) => <Moment at={member.created_at} />,
            },
            {
              header: messages.memberRole,
              cell: ({ row: { original: member } }) =>
                mayManage ? (
                  // On phones one below the other, so that the address has the width.
                  <div className="flex items-center justify-between gap-x-3 gap-y-1 @max-sm:flex-col @max-sm:items-start">
                    <MemberRole project={project} member={member} />
                    {/* Oneself one removes by “Leave”. */}
                    {member.user_id !== me.data?.id && <RemoveMember project={project} member={member} />}
                  </div>
                ) : (
                  <span className="whitespace-nowrap">{messages.roles[member.role]}</span>
                ),
            },
          ]}
        />
      )}
      {isAdministrator && (
        <Button className="mt-3" onClick={() => setAdding(true)}>
          {messages.add}
        </Button>
      )}
      {isAdding && <AddMemberForm project={project} onClose={() => setAdding(false)} />}
    </Card>
  );
}

function MemberName({ member }: { readonly member: ProjectMember }) {
  const { projectGroups: messages } = useMessages();
  return (
    <>
      <span className="font-medium">
        <Breakable text={member.email} />
      </span>
      {member.name !== '' && <span className="text-muted block text-xs">{member.name}</span>}
      {member.origin === 'claim' && <span className="text-muted block text-xs">{messages.byClaim}</span>}
    </>
  );
}

interface MemberProps {
  readonly project: Project;
  readonly member: ProjectMember;
}

/** Takes effect when it is chosen; what the API refuses stands below. */
function MemberRole({ project, member }: MemberProps) {
  const { projects: messages, done } = useMessages();
  const isAdministrator = useIsAdministrator();
  const refresh = useRefresh();
  const change = useMutation({
    mutationFn: async (role: ProjectMember['role']) => {
      const path = { id: project.id, user_id: member.user_id };
      await api.put('/api/v1/projects/{id}/members/{user_id}', { path, body: { role } });
      await refresh('/api/v1/projects', '/api/v1/tokens');
    },
    onSuccess: (_answer, role) => showToast(done.roleChanged(member.email, messages.roles[role])),
  });
  return (
    <div className="flex w-32 flex-col gap-1 sm:w-36">
      <Select
        aria-label={messages.roleOf(member.email)}
        className="max-sm:pr-6 max-sm:pl-2"
        value={change.isPending ? change.variables : member.role}
        disabled={change.isPending || (member.origin === 'claim' && !isAdministrator)}
        onChange={(event) => change.mutate(event.target.value as ProjectMember['role'])}
      >
        {ROLES.map((role) => (
          <option key={role} value={role}>
            {messages.roles[role]}
          </option>
        ))}
      </Select>
      {change.error && <ErrorNotice error={change.error} />}
    </div>
  );
}

function RemoveMember({ project, member }: MemberProps) {
  const { projects: messages, done } = useMessages();
  const refresh = useRefresh();
  const [isAsking, setAsking] = useState(false);
  return (
    <div role="group" aria-label={messages.actionsFor(member.email)}>
      <Button kind="quiet" isSmall onClick={() => setAsking(true)}>
        {messages.remove}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={messages.removeTitle(member.email)}
          text={messages.removeText}
          action={messages.remove}
          done={done.removed(member.email)}
          onClose={() => setAsking(false)}
          onConfirm={async () => {
            const path = { id: project.id, user_id: member.user_id };
            await api.delete('/api/v1/projects/{id}/members/{user_id}', { path });
            await refresh('/api/v1/projects', '/api/v1/tokens');
          }}
        />
      )}
    </div>
  );
}
