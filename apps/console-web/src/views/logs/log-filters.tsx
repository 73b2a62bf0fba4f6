import { useNavigate } from '@tanstack/react-router';
import { useIsAdministrator } from '../../api/use-me.js';
import { ChoiceFilter } from '../../components/choice-filter.js';
import { Field, TextInput } from '../../components/field.js';
import { FilterBar } from '../../components/filter-bar.js';
import { RowPicker } from '../../components/row-picker.js';
import { TextFilter } from '../../components/text-filter.js';
import { useMessages } from '../../messages/use-messages.js';
import { type LogSearch, readLogSearch } from './log-search.js';

/** Filters stand in the page's address, so that a view of the logs can be kept and passed on. */
export function LogFilters({ filters }: { readonly filters: LogSearch }) {
  const { logs: messages, states } = useMessages();
  const isAdministrator = useIsAdministrator();
  const navigate = useNavigate({ from: '/logs' });
  const change = (part: LogSearch) =>
    void navigate({
      search: (search) => readLogSearch({ ...search, ...part }),
      replace: true,
      resetScroll: false,
    });
  const text = (name: 'model' | 'status' | 'endpoint' | 'channel' | 'error_code') => (
    <TextFilter
      label={messages[name]}
      value={filters[name]}
      inputMode={name === 'status' ? 'numeric' : 'text'}
      onFilter={(value) => change({ [name]: value })}
    />
  );
  const choice = (name: 'failed' | 'stream', names: readonly [ifTrue: string, ifFalse: string]) => (
    <ChoiceFilter
      label={messages[name]}
      value={filters[name]}
      choices={[
        ['true', names[0]],
        ['false', names[1]],
      ]}
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
  const row = (name: 'token_id' | 'user_id', path: '/api/v1/tokens' | '/api/v1/users') => (
    <Field label={messages[name]}>
      <RowPicker
        path={path}
        value={filters[name] ?? ''}
        noneName={states.all}
        onPick={(id) => change({ [name]: id })}
      />
    </Field>
  );
  return (
    <FilterBar filters={filters} onClear={() => void navigate({ search: {}, replace: true })}>
      {text('model')}
      {row('token_id', '/api/v1/tokens')}
      {isAdministrator && row('user_id', '/api/v1/users')}
      {isAdministrator && text('channel')}
      {text('endpoint')}
      {choice('failed', [messages.failures, messages.successes])}
      {text('status')}
      {text('error_code')}
      {choice('stream', [states.yes, states.no])}
      {day('from')}
      {day('to')}
    </FilterBar>
  );
}
