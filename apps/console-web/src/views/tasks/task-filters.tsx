import { useNavigate } from '@tanstack/react-router';
import type { Token } from '../../api/rows.js';
import { useRows } from '../../api/use-rows.js';
import { Button } from '../../components/button.js';
import { ChoiceFilter } from '../../components/choice-filter.js';
import { TextFilter } from '../../components/text-filter.js';
import { useMessages } from '../../messages/use-messages.js';
import { readTaskSearch, type TaskSearch } from './task-search.js';

/** Filters stand in the page's address, like those of the logs. */
export function TaskFilters({ filters }: { readonly filters: TaskSearch }) {
  const { tasks: messages, logs, actions } = useMessages();
  const tokens = useRows<Token>('/api/v1/tokens').rows;
  const navigate = useNavigate({ from: '/tasks' });
  const change = (part: TaskSearch) =>
    void navigate({
      search: (search) => readTaskSearch({ ...search, ...part }),
      replace: true,
      resetScroll: false,
    });
  return (
    <div className="mb-4 grid grid-cols-2 items-end gap-3 lg:grid-cols-4">
      <ChoiceFilter
        label={messages.state}
        value={filters.state}
        choices={Object.entries(messages.states)}
        onFilter={(state) => change({ state })}
      />
      <TextFilter label={messages.model} value={filters.model} onFilter={(model) => change({ model })} />
      <ChoiceFilter
        label={logs.key}
        value={filters.token_id}
        choices={tokens.map((token) => [token.id, token.name])}
        onFilter={(tokenId) => change({ token_id: tokenId })}
      />
      <Button
        disabled={Object.keys(filters).length === 0}
        onClick={() => void navigate({ search: {}, replace: true })}
      >
        {actions.clear}
      </Button>
    </div>
  );
}
