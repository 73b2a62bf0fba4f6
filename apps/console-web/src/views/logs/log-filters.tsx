import { useNavigate } from '@tanstack/react-router';
import { useRows } from '../../api/use-rows.js';
import { ChoiceFilter } from '../../components/choice-filter.js';
import { Field, TextInput } from '../../components/field.js';
import { FilterBar } from '../../components/filter-bar.js';
import { TextFilter } from '../../components/text-filter.js';
import { useMessages } from '../../messages/use-messages.js';
import { type LogSearch, readLogSearch } from './log-search.js';

/** Filters stand in the page's address, so that a view of the logs can be kept and passed on. */
export function LogFilters({ filters }: { readonly filters: LogSearch }) {
  const { logs: messages } = useMessages();
  const tokens = useRows('/api/v1/tokens').rows;
  const navigate = useNavigate({ from: '/logs' });
  const change = (part: LogSearch) =>
    void navigate({
      search: (search) => readLogSearch({ ...search, ...part }),
      replace: true,
      resetScroll: false,
    });
  const text = (name: 'model' | 'status' | 'endpoint' | 'channel') => (
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
    <FilterBar filters={filters} onClear={() => void navigate({ search: {}, replace: true })}>
      {text('model')}
      {text('status')}
      {text('endpoint')}
      {text('channel')}
      <ChoiceFilter
        label={messages.key}
        value={filters.token_id}
        choices={tokens.map((token) => [token.id, token.name])}
        onFilter={(tokenId) => change({ token_id: tokenId })}
      />
      {day('from')}
      {day('to')}
    </FilterBar>
  );
}
