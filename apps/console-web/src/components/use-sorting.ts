import { useNavigate, useSearch } from '@tanstack/react-router';
import { readSearch } from '../api/read-search.js';

/** What the address of a sorted list says. */
export interface OrderSearch {
  /** What the API sorts by; its own order without. */
  readonly sort?: string;
  readonly order?: string;
}

export const ORDER_FIELDS = ['sort', 'order'] as const;

/** Of lists whose address says nothing else. */
export function readOrderSearch(search: Record<string, unknown>): OrderSearch {
  return readSearch(search, ORDER_FIELDS);
}

/** How a list is sorted, and how that is changed. */
export interface Sorting extends OrderSearch {
  /** @param first the direction that comes first. */
  readonly onSort: (sort: string, first: Direction) => void;
}

type Direction = 'asc' | 'desc';

const OTHER: Readonly<Record<Direction, Direction>> = { asc: 'desc', desc: 'asc' };

/** A list's order as it stands in the page's address. Asked for again a column is sorted the other way, then no more. */
export function useSorting(): Sorting {
  const { sort, order }: OrderSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const sortBy = (next: OrderSearch) =>
    void navigate({
      to: '.',
      search: ({ sort: _sort, order: _order, ...others }: Record<string, unknown>) => ({
        ...others,
        ...next,
      }),
      replace: true,
      resetScroll: false,
    });
  return {
    sort,
    order,
    onSort(column, first) {
      if (sort !== column) sortBy({ sort: column, order: first });
      else sortBy(order === first ? { sort: column, order: OTHER[first] } : {});
    },
  };
}
