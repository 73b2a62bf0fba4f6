import { readSearch } from '../../api/read-search.js';

/** What the address of the keys says. */
export interface TokenSearch {
  /** Keys of this project alone. */
  readonly project_id?: string;
}

export function readTokenSearch(search: Record<string, unknown>): TokenSearch {
  return readSearch(search, ['project_id']);
}
