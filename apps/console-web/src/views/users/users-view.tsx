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
import type { Column } from '../../components/table.js';
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
          columns={useUserColumns()}
          keyOf={(user) => user.id}
          nameOf={(user) => messages.open(user.email)}
          onOpen={setOpened}
          empty={<EmptyState title={messages.emptyTitle} text={messages.emptyText} filters={filters} />}
        />
      </Card>
      {isCreating && <NewUserForm onClose={() => setCreating(false)} />}
      {opened && <UserForm user={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

function useUserColumns(): readonly Column<User>[] {
  const { users: messages, detail } = useMessages();
  return [
    {
      header: messages.email,
      accessorKey: 'email',
      cell: ({ row: { original: user } }) => <Breakable text={user.email} />,
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
      meta: { hideOnPhones: true },
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
    {
      id: 'actions',
      header: '',
      meta: { isNumber: true },
      cell: ({ row: { original: user } }) => (
        <Link
          to="/users/$userId"
          params={{ userId: user.id }}
          aria-label={detail.of(user.email)}
          className="text-muted hover:text-ink hover:bg-raised touch:min-h-11 touch:min-w-11 inline-flex items-center justify-center rounded-lg px-2.5 py-1 text-xs font-medium whitespace-nowrap"
          onClick={(event) => event.stopPropagation()}
        >
          {detail.details}
        </Link>
      ),
    },
  ];
}
