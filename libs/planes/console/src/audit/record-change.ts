import { isDeepStrictEqual } from 'node:util';
import { newId } from '@mg/contract';
import type { ConsoleStore } from '@mg/persistence/console';
import type { Caller, Origin } from '../http/caller.js';
import type { AuditAction } from './audit-actions.js';

/** Who changes something, and from where. */
export type Actor = Pick<Caller, 'email'> &
  Origin & { /** `null` for what is no user. */ readonly id: string | null };

/** A change in words that may be shown: rows as the API shows them, never as they are stored. */
interface RecordedChange {
  readonly action: AuditAction;
  readonly targetId: string;
  readonly before?: object | undefined;
  readonly after?: object | undefined;
}

/** Writes a change to the audit log; in the transaction of the change, so that neither is without the other. */
export async function recordChange(store: ConsoleStore, actor: Actor, change: RecordedChange): Promise<void> {
  const { before, after } = pickDifferences(change.before, change.after);
  await store.audit.add({
    id: newId(),
    actorId: actor.id,
    actorEmail: actor.email,
    action: change.action,
    targetType: change.action.slice(0, change.action.indexOf('.')),
    targetId: change.targetId,
    before,
    after,
    requestId: actor.requestId,
    address: actor.address,
  });
}

type Fields = Record<string, unknown>;

/** Of a changed row only the changed fields are recorded; a new row, or one that is gone, in full. */
function pickDifferences(
  before: object | undefined,
  after: object | undefined,
): { before: Fields | null; after: Fields | null } {
  if (!before || !after) return { before: toFields(before), after: toFields(after) };
  const [old, now] = [before as Fields, after as Fields];
  const names = [...new Set([...Object.keys(old), ...Object.keys(now)])].filter(
    (name) => !isDeepStrictEqual(old[name], now[name]),
  );
  return { before: pick(old, names), after: pick(now, names) };
}

function toFields(row: object | undefined): Fields | null {
  return row ? { ...row } : null;
}

function pick(row: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.filter((name) => name in row).map((name) => [name, row[name]]));
}
