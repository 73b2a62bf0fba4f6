import type { EntryRow } from '@mg/persistence/console';
import type { CsvColumns } from '../http/write-csv.js';
import { toEntryView } from './entry-view.js';

/** An entry, and what its wallet is called. */
export interface NamedEntry extends EntryRow {
  readonly walletName: string;
}

/** Columns of the export of the ledger. */
export const ENTRY_COLUMNS: CsvColumns<NamedEntry> = {
  id: (entry) => entry.id,
  created_at: (entry) => entry.createdAt.toISOString(),
  wallet_id: (entry) => entry.walletId,
  wallet_name: (entry) => entry.walletName,
  kind: (entry) => entry.kind,
  amount: (entry) => entry.amount,
  balance_after: (entry) => entry.balanceAfter,
  token_id: (entry) => entry.tokenId,
  request_id: (entry) => toEntryView(entry).request_id,
  task_id: (entry) => entry.taskId,
  note: (entry) => entry.note,
};
