import { readSearch } from '../../api/read-search.js';
import { ORDER_FIELDS, type OrderSearch } from '../../components/use-sorting.js';

/** What the address of the keys says. */
export interface TokenSearch extends OrderSearch {
  /** Keys of this project alone. */
  readonly project_id?: string;
  /** Keys of this user alone. */
  readonly user_id?: string;
  /** Keys whose name holds this. */
  readonly search?: string;
}

export function readTokenSearch(search: Record<string, unknown>): TokenSearch {
  return readSearch(search, ['project_id', 'user_id', 'search', ...ORDER_FIELDS]);
}
