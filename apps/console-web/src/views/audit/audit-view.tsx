import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { AuditEntry } from '../../api/console-api.js';
import { useRows } from '../../api/use-rows.js';
import { Breakable } from '../../components/breakable.js';
import { Card } from '../../components/card.js';
import { Cut } from '../../components/cut.js';
import { EmptyState } from '../../components/empty-state.js';
import { Moment } from '../../components/moment.js';
import { PageHeader } from '../../components/page-header.js';
import { RowList } from '../../components/row-list.js';
import type { Column } from '../../components/table.js';
import { sayCode } from '../../messages/say-code.js';
import { useMessages } from '../../messages/use-messages.js';
import { AuditAction } from './audit-action.js';
import { AuditDrawer } from './audit-drawer.js';
import { AuditFilters } from './audit-filters.js';
import { useChangeWords } from './use-change-words.js';
import { useTargetNames } from './use-target-names.js';

export function AuditView() {
  const { audit: messages } = useMessages();
  const filters = useSearch({ from: '/signed-in/administration/audit' });
  const entries = useRows('/api/v1/audit', { query: filters });
  const [opened, setOpened] = useState<AuditEntry>();
  const nameOfTarget = useTargetNames(entries.rows);
  const columns: readonly Column<AuditEntry>[] = [
    {
      header: messages.what,
      cell: ({ row: { original: entry } }) => <AuditAction action={entry.action} />,
    },
    {
      header: messages.who,
      cell: ({ row: { original: entry } }) => (
        <span className="inline-block max-sm:text-xs @max-4xl:w-48 @max-sm:w-32">
          <Breakable text={sayCode(messages.actors, entry.actor_email)} />
        </span>
      ),
    },
    {
      header: messages.target,
      meta: { hideOnSmallScreens: true },
      cell: ({ row: { original: entry } }) => (
        <span className="flex items-baseline gap-2 text-xs">
          <span className="whitespace-nowrap">{sayCode(messages.types, entry.target_type)}</span>
          <Target entry={entry} name={nameOfTarget(entry)} />
        </span>
      ),
    },
    {
      header: messages.when,
      meta: { isNumber: true, hideOnPhones: true },
      cell: ({ row: { original: entry } }) => <Moment at={entry.created_at} />,
    },
  ];
  return (
    <>
      <PageHeader title={messages.title} text={messages.text} />
      <Card>
        <AuditFilters filters={filters} />
        <RowList
          caption={messages.title}
          pages={entries}
          columns={columns}
          keyOf={(entry) => entry.id}
          nameOf={(entry) => messages.open(entry.action, sayCode(messages.actions, entry.action))}
          onOpen={setOpened}
          below={(entry) => (
            <>
              <ChangeLine entry={entry} />
              <span className="text-muted block text-xs @4xl:hidden">
                <Breakable
                  text={`${sayCode(messages.types, entry.target_type)} ${nameOfTarget(entry) ?? (isOnlyOne(entry) ? '' : shorten(entry.target_id))}`}
                />
              </span>
              <span className="text-muted block text-xs @sm:hidden">
                <Moment at={entry.created_at} />
              </span>
            </>
          )}
          empty={<EmptyState title={messages.emptyTitle} text={messages.emptyText} filters={filters} />}
        />
      </Card>
      {opened && <AuditDrawer entry={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}

/** Whom and how much a change is about. */
function ChangeLine({ entry }: { readonly entry: AuditEntry }) {
  const text = useChangeWords()(entry);
  if (text === undefined) return null;
  return (
    <span className="text-muted block text-xs">
      <Breakable text={text} />
    </span>
  );
}

/** What was changed by its name, or by its id where it has none; the id is in the details. */
function Target({ entry, name }: { readonly entry: AuditEntry; readonly name: string | undefined }) {
  if (isOnlyOne(entry)) return null;
  return (
    <span title={name} className={`min-w-0 ${name === undefined ? '' : 'text-sm'}`}>
      {name === undefined ? <Cut text={entry.target_id} isCode isWide /> : <Breakable text={name} />}
    </span>
  );
}

/** Settings and secret of alerts: their type says all, and their id nothing. */
function isOnlyOne({ target_id: id }: AuditEntry): boolean {
  return id === 'alerts';
}

const UUID_LENGTH = 36;
const SHOWN_OF_UUID = 8;

/** The end of an id, by which it is told apart; whole ids are in the details. */
function shorten(id: string): string {
  return id.length === UUID_LENGTH ? `…${id.slice(-SHOWN_OF_UUID)}` : id;
}
