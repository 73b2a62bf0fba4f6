import { useNavigate } from '@tanstack/react-router';
import type { Token } from '../../api/rows.js';
import { useRows } from '../../api/use-rows.js';
import { Button } from '../../components/button.js';
import { ChoiceFilter } from '../../components/choice-filter.js';
import { Field, TextInput } from '../../components/field.js';
import { TextFilter } from '../../components/text-filter.js';
import { useMessages } from '../../messages/use-messages.js';
import { type LogSearch, readLogSearch } from './log-search.js';

/** Filters stand in the page's address, so that a view of the logs can be kept and passed on. */
export function LogFilters({ filters }: { readonly filters: LogSearch }) {
  const { logs: messages, actions } = useMessages();
  const tokens = useRows<Token>('/api/v1/tokens').rows;
  const navigate = useNavigate({ from: '/logs' });
  const change = (part: LogSearch) =>
    void navigate({
      search: (search) => readLogSearch({ ...search, ...part }),
      replace: true,
      resetScroll: false,
    });
  const text = (name: 'model' | 'status' | 'endpoint') => (
    <TextFilter
      label={messages[name]}
      value={filters[name]}
      inputMode={name === 'status' ? 'numeric' : 'text'}
      onFilter={(value) => change({ [name]: value })}
    />
  );
  const day = (name: 'from' | 'to') => (
    <Field label={messages[name]}>
      <TextInput
        type="date"
        value={filters[name] ?? ''}
        onChange={(event) => change({ [name]: event.target.value })}
      />
    </Field>
  );
  return (
    <div className="mb-4 grid grid-cols-2 items-end gap-3 sm:grid-cols-3 lg:grid-cols-4">
      {text('model')}
      {text('status')}
      {text('endpoint')}
      <ChoiceFilter
        label={messages.key}
        value={filters.token_id}
        choices={tokens.map((token) => [token.id, token.name])}
        onFilter={(tokenId) => change({ token_id: tokenId })}
      />
      {day('from')}
      {day('to')}
      <Button
        disabled={Object.keys(filters).length === 0}
        onClick={() => void navigate({ search: {}, replace: true })}
      >
        {actions.clear}
      </Button>
    </div>
  );
}
