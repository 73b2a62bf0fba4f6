import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { apiQuery, useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Project, ProjectGroups } from '../../api/console-api.js';
import { Breakable } from '../../components/breakable.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Skeleton } from '../../components/skeleton.js';
import { Table } from '../../components/table.js';
import { useMessages } from '../../messages/use-messages.js';
import { AddGroupForm } from './add-group-form.js';

type Group = ProjectGroups['data'][number];

/** Groups of single sign-on that let into a project; for administrators. */
export function GroupsCard({ project }: { readonly project: Project }) {
  const { projectGroups: messages, projects } = useMessages();
  const groups = useQuery(apiQuery('/api/v1/projects/{id}/groups', { path: { id: project.id } }));
  const setGroups = useSetGroups(project);
  const [isAdding, setAdding] = useState(false);
  const rows = groups.data?.data ?? [];
  return (
    <Card title={messages.title} note={messages.text}>
      {groups.isPending && <Skeleton />}
      {groups.error && <ErrorNotice error={groups.error} />}
      {groups.data && rows.length === 0 && <p className="text-muted">{messages.none}</p>}
      {rows.length > 0 && (
        <Table
          caption={messages.title}
          rows={rows}
          keyOf={({ value }) => value}
          columns={[
            {
              header: messages.group,
              cell: ({
                row: {
                  original: { value },
                },
              }) => <Breakable text={value} />,
            },
            {
              header: projects.memberRole,
              cell: ({
                row: {
                  original: { role },
                },
              }) => projects.roles[role],
            },
            {
              id: 'actions',
              header: '',
              meta: { isNumber: true },
              cell: ({ row: { original: group } }) => (
                <RemoveGroup project={project} groups={rows} group={group} />
              ),
            },
          ]}
        />
      )}
      <Button className="mt-3" disabled={!groups.data} onClick={() => setAdding(true)}>
        {messages.add}
      </Button>
      {isAdding && (
        <AddGroupForm
          project={project}
          onAdd={(group) => setGroups([...rows, group])}
          onClose={() => setAdding(false)}
        />
      )}
    </Card>
  );
}

/** Replaces all groups of a project. */
function useSetGroups(project: Project): (data: Group[]) => Promise<void> {
  const refresh = useRefresh();
  return async (data) => {
    await api.put('/api/v1/projects/{id}/groups', { path: { id: project.id }, body: { data } });
    await refresh('/api/v1/projects', '/api/v1/audit');
  };
}

interface RemoveGroupProps {
  readonly project: Project;
  readonly groups: readonly Group[];
  readonly group: Group;
}

function RemoveGroup({ project, groups, group }: RemoveGroupProps) {
  const { projectGroups: messages, projects, done } = useMessages();
  const setGroups = useSetGroups(project);
  const [isAsking, setAsking] = useState(false);
  return (
    <div role="group" aria-label={projects.actionsFor(group.value)}>
      <Button kind="quiet" isSmall onClick={() => setAsking(true)}>
        {projects.remove}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={projects.removeTitle(group.value)}
          text={messages.removeText}
          action={projects.remove}
          done={done.removed(group.value)}
          onClose={() => setAsking(false)}
          onConfirm={() => setGroups(groups.filter(({ value }) => value !== group.value))}
        />
      )}
    </div>
  );
}
