import { useNavigate } from '@tanstack/react-router';
import { useRows } from '../../api/use-rows.js';
import { ChoiceFilter } from '../../components/choice-filter.js';
import { FilterBar } from '../../components/filter-bar.js';
import { TextFilter } from '../../components/text-filter.js';
import { useMessages } from '../../messages/use-messages.js';
import { type AuditSearch, readAuditSearch } from './audit-search.js';

/** Filters stand in the page's address, like those of the logs. */
export function AuditFilters({ filters }: { readonly filters: AuditSearch }) {
  const { audit: messages } = useMessages();
  const users = useRows('/api/v1/users').rows;
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
      <ChoiceFilter
        label={messages.who}
        value={filters.actor_id}
        choices={users.map((user) => [user.id, user.email])}
        onFilter={(actorId) => change({ actor_id: actorId })}
      />
      {text('target_type', messages.targetType, 'token')}
      {text('target_id', messages.targetId)}
    </FilterBar>
  );
}
