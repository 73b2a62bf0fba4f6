import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { User } from '../../api/console-api.js';
import { useRows } from '../../api/use-rows.js';
import { Breakable } from '../../components/breakable.js';
import { Button } from '../../components/button.js';
import { Card } from '../../components/card.js';
import { EmptyState } from '../../components/empty-state.js';
import { Icon } from '../../components/icon.js';
import { Moment } from '../../components/moment.js';
import { NameFilter, useNameFilter } from '../../components/name-filter.js';
import { PageHeader } from '../../components/page-header.js';
import { RowList } from '../../components/row-list.js';
import { actionsColumn, type Column, ROW_LINK_ABOVE } from '../../components/table.js';
import { useSorting } from '../../components/use-sorting.js';
import { useMessages } from '../../messages/use-messages.js';
import { NewUserForm } from './new-user-form.js';
import { UserForm } from './user-form.js';
import { UserState } from './user-state.js';

export function UsersView() {
  const { users: messages } = useMessages();
  const sorting = useSorting();
  const { sort, order } = sorting;
  const filters = useNameFilter();
  const users = useRows('/api/v1/users', { query: { ...filters, sort, order } });
  const [isCreating, setCreating] = useState(false);
  const [opened, setOpened] = useState<User>();
  return (
    <>
      <PageHeader title={messages.title} text={messages.text}>
        <Button kind="primary" onClick={() => setCreating(true)}>
          <Icon name="plus" />
          {messages.create}
        </Button>
      </PageHeader>
      <Card>
        <NameFilter />
        <RowList
          caption={messages.title}
          pages={users}
          sorting={sorting}
          columns={useUserColumns(setOpened)}
          keyOf={(user) => user.id}
          empty={<EmptyState title={messages.emptyTitle} text={messages.emptyText} filters={filters} />}
        />
      </Card>
      {isCreating && <NewUserForm onClose={() => setCreating(false)} />}
      {opened && <UserForm user={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function useUserColumns(onEdit: (user: User) => void): readonly Column<User>[] {
  const { users: messages, projects, actions } = useMessages();
  return [
    {
      header: messages.email,
      accessorKey: 'email',
      cell: ({ row: { original: user } }) => <UserName user={user} />,
    },
    {
      header: messages.name,
      accessorKey: 'name',
      meta: { hideOnSmallScreens: true },
      cell: ({ row: { original: user } }) => user.name || '–',
    },
    {
      header: messages.role,
      accessorKey: 'role',
      meta: { hideOnSmallScreens: true },
      cell: ({ row: { original: user } }) => (
        <span className="whitespace-nowrap">{messages.roles[user.role]}</span>
      ),
    },
    {
      header: messages.state,
      id: 'state',
      accessorKey: 'disabled',
      cell: ({ row: { original: user } }) => <UserState user={user} />,
    },
    {
      header: messages.created,
      id: 'created',
      accessorKey: 'created_at',
      sortDescFirst: true,
      meta: { isNumber: true, hideOnSmallScreens: true },
      cell: ({ row: { original: user } }) => <Moment at={user.created_at} />,
    },
    actionsColumn((user) => (
      <div role="group" aria-label={projects.actionsFor(user.email)}>
        <Button kind="quiet" isSmall onClick={() => onEdit(user)}>
          {actions.edit}
        </Button>
      </div>
    )),
  ];
}

/** A user by their address, which leads to their page, with what there is no column of where the table is narrow. */
function UserName({ user }: { readonly user: User }) {
  const { users: messages } = useMessages();
  return (
    <>
      <Link to="/users/$userId" params={{ userId: user.id }} className={ROW_LINK_ABOVE}>
        <Breakable text={user.email} />
      </Link>
      <span className="text-muted block text-xs @4xl:hidden">
        {[messages.roles[user.role], user.name].filter(Boolean).join(' · ')}
      </span>
    </>
  );
}
