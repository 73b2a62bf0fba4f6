import { useNavigate } from '@tanstack/react-router';
import { ChoiceFilter } from '../../components/choice-filter.js';
import { FilterBar } from '../../components/filter-bar.js';
import { RowFilter } from '../../components/row-filter.js';
import { TextFilter } from '../../components/text-filter.js';
import { useMessages } from '../../messages/use-messages.js';
import { readTaskSearch, type TaskSearch } from './task-search.js';

/** Filters stand in the page's address, like those of the logs. */
export function TaskFilters({ filters }: { readonly filters: TaskSearch }) {
  const { tasks: messages, logs } = useMessages();
  const navigate = useNavigate({ from: '/tasks' });
  const change = (part: TaskSearch) =>
    void navigate({
      search: (search) => readTaskSearch({ ...search, ...part }),
      replace: true,
      resetScroll: false,
    });
  return (
    <FilterBar filters={filters} onClear={() => void navigate({ search: {}, replace: true })}>
      <ChoiceFilter
        label={messages.state}
        value={filters.state}
        choices={Object.entries(messages.states)}
        onFilter={(state) => change({ state })}
      />
      <TextFilter label={messages.model} value={filters.model} onFilter={(model) => change({ model })} />
      <RowFilter
        label={logs.token_id}
        path="/api/v1/tokens"
        value={filters.token_id}
        onFilter={(id) => change({ token_id: id })}
      />
    </FilterBar>
  );
}
