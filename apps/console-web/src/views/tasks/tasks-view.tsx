import { Link, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { VideoTask } from '../../api/console-api.js';
import { useIsAdministrator } from '../../api/use-me.js';
import { useRows } from '../../api/use-rows.js';
import { Breakable } from '../../components/breakable.js';
import { LINK_BUTTON } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { EmptyState } from '../../components/empty-state.js';
import { Moment } from '../../components/moment.js';
import { Money } from '../../components/money.js';
import { PageHeader } from '../../components/page-header.js';
import { RowList } from '../../components/row-list.js';
import type { Column } from '../../components/table.js';
import { useSorting } from '../../components/use-sorting.js';
import { useMessages } from '../../messages/use-messages.js';
import { TaskDrawer } from './task-drawer.js';
import { TaskFilters } from './task-filters.js';
import { TaskState } from './task-state.js';

const REFRESH_MS = 3_000;

export function TasksView() {
  const { tasks: messages } = useMessages();
  const search = useSearch({ from: '/signed-in/tasks' });
  const { sort: _sort, order: _order, ...filters } = search;
  const sorting = useSorting();
  const tasks = useRows('/api/v1/tasks', { query: search }, { refreshMs: REFRESH_MS });
  const [opened, setOpened] = useState<string>();
  return (
    <>
      <PageHeader title={messages.title} text={messages.text} />
      <Card>
        <TaskFilters filters={filters} />
        <RowList
          caption={messages.title}
          pages={tasks}
          sorting={sorting}
          columns={useTaskColumns()}
          keyOf={(task) => task.id}
          nameOf={(task) => messages.open(task.model)}
          onOpen={(task) => setOpened(task.id)}
          below={(task) => (
            <>
              <code className="text-muted hidden font-mono text-xs font-normal @sm:block">
                <Breakable text={task.public_id} />
              </code>
              <span className="text-muted block text-xs @sm:hidden">
                <Moment at={task.created_at} />
              </span>
            </>
          )}
          empty={
            <EmptyState title={messages.emptyTitle} text={messages.emptyText} filters={filters}>
              <Link to="/playground" search={{ mode: 'video' }} className={LINK_BUTTON}>
                {messages.emptyAction}
              </Link>
            </EmptyState>
          }
        />
      </Card>
      {opened !== undefined && <TaskDrawer taskId={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function useTaskColumns(): readonly Column<VideoTask>[] {
  const { tasks: messages } = useMessages();
  const isAdministrator = useIsAdministrator();
  const ofAdministrators: readonly Column<VideoTask>[] = [
    {
      header: messages.channel,
      meta: { hideOnSmallScreens: true },
      cell: ({ row: { original: task } }) => task.channel ?? '–',
    },
  ];
  return [
    { header: messages.model, accessorKey: 'model', cell: ({ row: { original: task } }) => task.model },
    { header: messages.state, cell: ({ row: { original: task } }) => <TaskState state={task.state} /> },
    {
      header: messages.length,
      accessorKey: 'seconds',
      sortDescFirst: true,
      meta: { isNumber: true, hideOnSmallScreens: true },
      cell: ({ row: { original: task } }) => messages.lengthOf(task.seconds),
    },
    ...(isAdministrator ? ofAdministrators : []),
    {
      header: messages.charged,
      accessorKey: 'charged',
      sortDescFirst: true,
      meta: { isNumber: true },
      cell: ({ row: { original: task } }) => task.charged !== null && <Money usd={task.charged} />,
    },
    {
      header: messages.when,
      id: 'created',
      accessorKey: 'created_at',
      sortDescFirst: true,
      meta: { isNumber: true, hideOnPhones: true },
      cell: ({ row: { original: task } }) => <Moment at={task.created_at} />,
    },
  ];
}
