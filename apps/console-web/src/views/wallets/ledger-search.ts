import { readSearch } from '../../api/read-search.js';

/** What the address of a ledger says: the first and the last day that are shown, in the zone that the reader chose. */
export interface LedgerSearch {
  readonly from?: string;
  readonly to?: string;
}

export function readLedgerSearch(search: Record<string, unknown>): LedgerSearch {
  return readSearch(search, ['from', 'to']);
}
