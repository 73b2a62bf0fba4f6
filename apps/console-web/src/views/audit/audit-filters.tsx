import { useNavigate } from '@tanstack/react-router';
import { ChoiceFilter } from '../../components/choice-filter.js';
import { FilterBar } from '../../components/filter-bar.js';
import { RowFilter } from '../../components/row-filter.js';
import { TextFilter } from '../../components/text-filter.js';
import { useMessages } from '../../messages/use-messages.js';
import { type AuditSearch, readAuditSearch } from './audit-search.js';

/** Filters stand in the page's address, like those of the logs. */
export function AuditFilters({ filters }: { readonly filters: AuditSearch }) {
  const { audit: messages } = useMessages();
  const navigate = useNavigate({ from: '/audit' });
  const change = (part: AuditSearch) =>
    void navigate({
      search: (search) => readAuditSearch({ ...search, ...part }),
      replace: true,
      resetScroll: false,
    });
  return (
    <FilterBar filters={filters} onClear={() => void navigate({ search: {}, replace: true })}>
      <ChoiceFilter
        label={messages.what}
        value={filters.action}
        choices={Object.entries(messages.actions)}
        onFilter={(action) => change({ action })}
      />
      <RowFilter
        label={messages.who}
        path="/api/v1/users"
        value={filters.actor_id}
        onFilter={(id) => change({ actor_id: id })}
      />
      <ChoiceFilter
        label={messages.targetType}
        value={filters.target_type}
        choices={Object.entries(messages.types)}
        onFilter={(target_type) => change({ target_type })}
      />
      <TextFilter
        label={messages.targetId}
        value={filters.target_id}
        onFilter={(target_id) => change({ target_id })}
      />
    </FilterBar>
  );
}
