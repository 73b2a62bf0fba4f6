import { readSearch } from '../../api/read-search.js';
import { ORDER_FIELDS, type OrderSearch } from '../../components/use-sorting.js';

/** What the address of the video tasks says: their filters, and how they are sorted. */
export interface TaskSearch extends OrderSearch {
  readonly state?: string;
  readonly model?: string;
  readonly token_id?: string;
}

export function readTaskSearch(search: Record<string, unknown>): TaskSearch {
  return readSearch(search, ['state', 'model', 'token_id', ...ORDER_FIELDS]);
}
