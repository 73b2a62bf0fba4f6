import { readSearch } from '../../api/read-search.js';

/** What the address of the alerts says: their filters. */
export interface AlertSearch {
  readonly state?: string;
  readonly kind?: string;
}

export function readAlertSearch(search: Record<string, unknown>): AlertSearch {
  return readSearch(search, ['state', 'kind']);
}
