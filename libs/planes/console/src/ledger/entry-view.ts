import { formatUsd, readPhrases } from '@mg/contract';
import type { EntryKind, EntryRow } from '@mg/persistence/console';
import type { z } from 'zod';
import type { entrySchema } from './entry-schemas.js';

export type EntryView = z.output<typeof entrySchema>;

/** Kinds of entry that no call made: what makes them unique is billing's own business. */
const WITHOUT_REQUEST: ReadonlySet<EntryKind> = new Set(['topup', 'adjust']);

export function toEntryView(entry: EntryRow): EntryView {
  return {
    id: entry.id,
    created_at: entry.createdAt.toISOString(),
    kind: entry.kind,
    amount: formatUsd(entry.amount),
    balance_after: formatUsd(entry.balanceAfter ?? 0n),
    request_id: WITHOUT_REQUEST.has(entry.kind) ? null : entry.requestId,
    task_id: entry.taskId,
    note: entry.note,
    note_phrases: readPhrases(entry.note),
  };
}
