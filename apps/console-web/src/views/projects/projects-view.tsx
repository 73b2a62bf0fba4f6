import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Project } from '../../api/console-api.js';
import { useIsAdministrator } from '../../api/use-me.js';
import { useNames } from '../../api/use-names.js';
import { useRows } from '../../api/use-rows.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { Cut } from '../../components/cut.js';
import { EmptyState } from '../../components/empty-state.js';
import { Icon } from '../../components/icon.js';
import { Moment } from '../../components/moment.js';
import { NameFilter, useNameFilter } from '../../components/name-filter.js';
import { PageHeader } from '../../components/page-header.js';
import { RowList } from '../../components/row-list.js';
import { type Column, ROW_LINK } from '../../components/table.js';
import { useMessages } from '../../messages/use-messages.js';
import { NewProjectForm } from './new-project-form.js';

export function ProjectsView() {
  const { projects: messages } = useMessages();
  const isAdministrator = useIsAdministrator();
  const filters = useNameFilter();
  const projects = useRows('/api/v1/projects', { query: filters });
  const [isCreating, setCreating] = useState(false);
  const create = isAdministrator && (
    <Button kind="primary" onClick={() => setCreating(true)}>
      <Icon name="plus" />
      {messages.create}
    </Button>
  );
  return (
    <>
      <PageHeader title={messages.title} text={messages.text}>
        {create}
      </PageHeader>
      <Card>
        <NameFilter />
        <RowList
          caption={messages.title}
          pages={projects}
          columns={useProjectColumns(projects.rows)}
          keyOf={(project) => project.id}
          empty={
            <EmptyState
              title={messages.emptyTitle}
              text={isAdministrator ? messages.emptyTextOfAdministrators : messages.emptyText}
              filters={filters}
            >
              {create}
            </EmptyState>
          }
        />
      </Card>
      {isCreating && <NewProjectForm onClose={() => setCreating(false)} />}
    </>
  );
}

function useProjectColumns(projects: readonly Project[]): readonly Column<Project>[] {
  const { projects: messages } = useMessages();
  const isAdministrator = useIsAdministrator();
  const walletOf = useNames(
    '/api/v1/wallets',
    projects.map((project) => project.wallet_id),
    { enabled: isAdministrator },
  );
  const ofAdministrators: readonly Column<Project>[] = [
    {
      header: messages.wallet,
      meta: { hideOnPhones: true },
      cell: ({ row: { original: project } }) => <Cut text={walletOf(project.wallet_id) ?? ''} isWide />,
    },
  ];
  return [
    {
      header: messages.name,
      cell: ({ row: { original: project } }) => (
        <Link to="/projects/$projectId" params={{ projectId: project.id }} className={ROW_LINK}>
          <Cut text={project.name} isWide />
        </Link>
      ),
    },
    ...(isAdministrator ? ofAdministrators : []),
    {
      header: messages.role,
      cell: ({
        row: {
          original: { role },
        },
      }) => (
        <span className="@lg:whitespace-nowrap">
          {role === null ? messages.noRole : messages.roles[role]}
        </span>
      ),
    },
    {
      header: messages.created,
      meta: { isNumber: true, hideOnPhones: true },
      cell: ({ row: { original: project } }) => <Moment at={project.created_at} />,
    },
  ];
}
