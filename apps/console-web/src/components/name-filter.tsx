import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMessages } from '../messages/use-messages.js';
import { FilterBar } from './filter-bar.js';
import { TextFilter } from './text-filter.js';
import { type ListSearch, readListSearch } from './use-sorting.js';

/** What a list is filtered by: a part of the name, as it stands in the page's address. */
export function useNameFilter(): Pick<ListSearch, 'search'> {
  const { search }: ListSearch = useSearch({ strict: false });
  return search === undefined ? {} : { search };
}

/** The filter of lists that are searched by name alone. */
export function NameFilter() {
  const { provider } = useMessages();
  const filters = useNameFilter();
  const navigate = useNavigate();
  const change = (search: string) =>
    void navigate({
      to: '.',
      search: (others: Record<string, unknown>) => readListSearch({ ...others, search }),
      replace: true,
      resetScroll: false,
    });
  return (
    <FilterBar filters={filters} onClear={() => change('')}>
      <div className="sm:col-span-2">
        <TextFilter label={provider.search} value={filters.search} onFilter={change} />
      </div>
    </FilterBar>
  );
}
