import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiQuery } from '../../api/api-query.js';
import type { AuditEntry } from '../../api/console-api.js';
import { Breakable } from '../../components/breakable.js';
import { Card } from '../../components/card.js';
import { Cut } from '../../components/cut.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Moment } from '../../components/moment.js';
import { Skeleton } from '../../components/skeleton.js';
import { Table } from '../../components/table.js';
import { sayCode } from '../../messages/say-code.js';
import { useMessages } from '../../messages/use-messages.js';
import { useChangeWords } from '../audit/use-change-words.js';

const SHOWN = 10;

/** The last changes of a row, with the fields that differ, or whom and how much they are about; for administrators. */
export function ChangesCard({ targetId }: { readonly targetId: string }) {
  const { detail: messages, audit } = useMessages();
  const sayChange = useChangeWords();
  const changes = useQuery(apiQuery('/api/v1/audit', { query: { target_id: targetId, limit: SHOWN } }));
  const sayFields = (change: AuditEntry) =>
    listFields(change)
      .map((name) => sayCode(audit.fields, name))
      .join(messages.comma) || '–';
  const rows = changes.data?.data ?? [];
  return (
    <Card title={messages.changes}>
      {changes.isPending && <Skeleton />}
      {changes.error && <ErrorNotice error={changes.error} />}
      {changes.data && rows.length === 0 && <p className="text-muted">{messages.noChanges}</p>}
      {rows.length > 0 && (
        <>
          <Table
            caption={messages.changes}
            rows={rows}
            keyOf={(change) => change.id}
            columns={[
              {
                header: audit.what,
                cell: ({ row: { original: change } }) => (
                  <>
                    {sayCode(audit.actions, change.action)}
                    <span className="text-muted block text-xs @sm:hidden">
                      <Moment at={change.created_at} />
                    </span>
                  </>
                ),
              },
              {
                header: messages.fields,
                meta: { hideOnPhones: true },
                cell: ({ row: { original: change } }) => (
                  <Breakable text={sayChange(change) ?? sayFields(change)} />
                ),
              },
              {
                header: audit.who,
                cell: ({ row: { original: change } }) => (
                  <Cut text={sayCode(audit.actors, change.actor_email)} isWide />
                ),
              },
              {
                header: audit.when,
                meta: { isNumber: true, hideOnPhones: true },
                cell: ({ row: { original: change } }) => <Moment at={change.created_at} />,
              },
            ]}
          />
          <Link
            to="/audit"
            search={{ target_id: targetId }}
            className="text-accent touch:mt-0 touch:-mb-3 touch:min-h-11 touch:content-center mt-3 inline-block font-medium"
          >
            {messages.allChanges}
          </Link>
        </>
      )}
    </Card>
  );
}

/** The names of the fields that differ; nothing for what was made or deleted as a whole. */
function listFields({ before, after }: AuditEntry): readonly string[] {
  if (!before || !after) return [];
  return Object.keys(after).filter((name) => name !== 'updated_at');
}
