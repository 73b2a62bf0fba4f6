import type { OnChangeFn, SortingState } from '@tanstack/react-table';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { readSearch } from '../api/read-search.js';

/** What the address of a sorted list says. */
export interface OrderSearch {
  /** What the API sorts by; its own order without. */
  readonly sort?: string;
  readonly order?: string;
}

export const ORDER_FIELDS = ['sort', 'order'] as const;

/** What the address of a list says that is searched and sorted, and nothing else. */
export interface ListSearch extends OrderSearch {
  /** Rows whose name holds this. */
  readonly search?: string;
}

export function readListSearch(search: Record<string, unknown>): ListSearch {
  return readSearch(search, ['search', ...ORDER_FIELDS]);
}

/** How a list is sorted, for the API and for its table, and how that is changed. */
export interface Sorting extends OrderSearch {
  readonly state: SortingState;
  readonly onChange: OnChangeFn<SortingState>;
}

/** A list's order as it stands in the page's address. */
export function useSorting(): Sorting {
  const { sort, order }: OrderSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const state = useMemo(
    () => (sort === undefined ? [] : [{ id: sort, desc: order !== 'asc' }]),
    [sort, order],
  );
  return {
    sort,
    order,
    state,
    onChange(updater) {
      const next = toSearch(typeof updater === 'function' ? updater(state) : updater);
      void navigate({
        to: '.',
        search: ({ sort: _sort, order: _order, ...others }: Record<string, unknown>) => ({
          ...others,
          ...next,
        }),
        replace: true,
        resetScroll: false,
      });
    },
  };
}

/** Lists are sorted by one column. */
function toSearch([column]: SortingState): OrderSearch {
  return column ? { sort: column.id, order: column.desc ? 'desc' : 'asc' } : {};
}
