import { useNavigate } from '@tanstack/react-router';
import { Field } from '../../components/field.js';
import { FilterBar } from '../../components/filter-bar.js';
import { RowPicker } from '../../components/row-picker.js';
import { TextFilter } from '../../components/text-filter.js';
import { useMessages } from '../../messages/use-messages.js';
import { type AuditSearch, readAuditSearch } from './audit-search.js';

/** Filters stand in the page's address, like those of the logs. */
export function AuditFilters({ filters }: { readonly filters: AuditSearch }) {
  const { audit: messages, states } = useMessages();
  const navigate = useNavigate({ from: '/audit' });
  const change = (part: AuditSearch) =>
    void navigate({
      search: (search) => readAuditSearch({ ...search, ...part }),
      replace: true,
      resetScroll: false,
    });
  const text = (name: 'action' | 'target_type' | 'target_id', label: string, example?: string) => (
    <TextFilter
      label={label}
      value={filters[name]}
      placeholder={example}
      onFilter={(value) => change({ [name]: value })}
    />
  );
  return (
    <FilterBar filters={filters} onClear={() => void navigate({ search: {}, replace: true })}>
      {text('action', messages.what, 'token.create')}
      <Field label={messages.who}>
        <RowPicker
          path="/api/v1/users"
          value={filters.actor_id ?? ''}
          noneName={states.all}
          onPick={(id) => change({ actor_id: id })}
        />
      </Field>
      {text('target_type', messages.targetType, 'token')}
      {text('target_id', messages.targetId)}
    </FilterBar>
  );
}
