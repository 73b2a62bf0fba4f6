import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useIsAdministrator } from '../../api/use-me.js';
import type { NamedPath } from '../../api/use-names.js';
import { useProjects } from '../../api/use-projects.js';
import { ChoiceFilter } from '../../components/choice-filter.js';
import { DayFilter } from '../../components/date-field.js';
import { FilterBar } from '../../components/filter-bar.js';
import { RowFilter } from '../../components/row-filter.js';
import { TextFilter } from '../../components/text-filter.js';
import { useMessages } from '../../messages/use-messages.js';
import { type LogSearch, PRESETS, readLogSearch } from './log-search.js';

type TextFilterName =
  | 'model'
  | 'status'
  | 'endpoint'
  | 'channel'
  | 'error_code'
  | 'min_cost'
  | 'min_latency_ms'
  | 'request_id';

const INPUT_MODES: Partial<Record<TextFilterName, 'numeric' | 'decimal'>> = {
  status: 'numeric',
  min_cost: 'decimal',
  min_latency_ms: 'numeric',
};

/** Fields of the filters, by their kinds. */
function useFields(filters: LogSearch) {
  const { logs: messages, states } = useMessages();
  const navigate = useNavigate({ from: '/logs' });
  const change = (part: LogSearch) =>
    void navigate({
      search: (search) => readLogSearch({ ...search, ...part }),
      replace: true,
      resetScroll: false,
    });
  const text = (name: TextFilterName) => (
    <TextFilter
      label={messages[name]}
      value={filters[name]}
      inputMode={INPUT_MODES[name] ?? 'text'}
      onFilter={(value) => change({ [name]: value })}
    />
  );
  const yesOrNo = (name: 'stream' | 'failed_over') => (
    <ChoiceFilter
      label={messages[name]}
      value={filters[name]}
      choices={[
        ['true', states.yes],
        ['false', states.no],
      ]}
      onFilter={(value) => change({ [name]: value })}
    />
  );
  const row = (name: 'token_id' | 'user_id' | 'project_id', path: NamedPath) => (
    <RowFilter
      label={messages[name]}
      path={path}
      value={filters[name]}
      onFilter={(id) => change({ [name]: id })}
    />
  );
  return { text, yesOrNo, row, change, clear: () => void navigate({ search: {}, replace: true }) };
}

/** Filters stand in the page's address, so that a view of the logs can be kept and passed on. */
export function LogFilters({ filters }: { readonly filters: LogSearch }) {
  const isAdministrator = useIsAdministrator();
  const hasProjects = useProjects().length > 0;
  const { text, yesOrNo, row, change, clear } = useFields(filters);
  const rare: readonly (readonly [name: keyof LogSearch, field: ReactNode])[] = [
    ...(isAdministrator ? [['user_id', row('user_id', '/api/v1/users')] as const] : []),
    ...(hasProjects || filters.project_id !== undefined
      ? [['project_id', row('project_id', '/api/v1/projects')] as const]
      : []),
    ['endpoint', text('endpoint')],
    ['status', text('status')],
    ['error_code', text('error_code')],
    ['stream', yesOrNo('stream')],
    ...(isAdministrator ? [['failed_over', yesOrNo('failed_over')] as const] : []),
    ['min_cost', text('min_cost')],
    ['min_latency_ms', text('min_latency_ms')],
    ['request_id', text('request_id')],
  ];
  return (
    <FilterBar
      filters={filters}
      onClear={clear}
      rare={rare.map(([name, field]) => ({ name, isSet: filters[name] !== undefined, field }))}
    >
      {text('model')}
      {row('token_id', '/api/v1/tokens')}
      {isAdministrator && text('channel')}
      <ResultFilter filters={filters} onChange={change} />
      <OrderFilters filters={filters} onChange={change} />
    </FilterBar>
  );
}

interface ChangedFiltersProps {
  readonly filters: LogSearch;
  readonly onChange: (part: LogSearch) => void;
}

/** How calls ended; errors of callers apart from those of providers and the gateway. */
function ResultFilter({ filters, onChange }: ChangedFiltersProps) {
  const { logs: messages } = useMessages();
  return (
    <ChoiceFilter
      label={messages.failed}
      value={filters.error_class ?? filters.failed}
      choices={[
        ['true', messages.failures],
        ['client', messages.clientErrors],
        ['server', messages.serverErrors],
        ['false', messages.successes],
      ]}
      onFilter={(result) =>
        onChange(
          result === 'client' || result === 'server'
            ? { error_class: result, failed: '' }
            : { error_class: '', failed: result },
        )
      }
    />
  );
}

/** From when to when, and what comes first. */
function OrderFilters({ filters, onChange }: ChangedFiltersProps) {
  const { logs: messages } = useMessages();
  const day = (name: 'from' | 'to') => (
    <DayFilter
      label={messages[name]}
      value={filters[name]}
      onFilter={(value) => onChange({ [name]: value })}
    />
  );
  return (
    <>
      <ChoiceFilter
        label={messages.preset}
        value={filters.preset}
        noneName={messages.custom}
        choices={PRESETS.map((name) => [name, messages.presets[name]])}
        onFilter={(preset) => onChange({ preset, from: '', to: '' })}
      />
      {filters.preset === undefined && (
        <div className="col-span-2 grid grid-cols-2 gap-x-3">
          {day('from')}
          {day('to')}
        </div>
      )}
      <ChoiceFilter
        label={messages.sort}
        value={filters.sort}
        noneName={messages.newest}
        choices={(['cost', 'latency'] as const).map((name) => [name, messages.sorts[name]])}
        onFilter={(sort) => onChange({ sort })}
      />
    </>
  );
}
