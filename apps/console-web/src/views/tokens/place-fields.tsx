import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api/api-query.js';
import { useIsAdministrator, useMe } from '../../api/use-me.js';
import { useProjects } from '../../api/use-projects.js';
import { Field, Select } from '../../components/field.js';
import { RowPicker } from '../../components/row-picker.js';
import { useMessages } from '../../messages/use-messages.js';

/** Whose a new key is, and what pays for it. Empty texts are what the API does by itself. */
export interface KeyPlace {
  readonly projectId: string;
  readonly walletId: string;
  readonly userId: string;
}

interface PlaceFieldsProps {
  readonly place: KeyPlace;
  readonly onChange: (part: Partial<KeyPlace>) => void;
  readonly errorOf: (param: string) => string | undefined;
}

/** What pays for a new key - a project, or a wallet - and for whom it is made. */
export function PlaceFields({ place, onChange, errorOf }: PlaceFieldsProps) {
  const { tokens: messages, projects } = useMessages();
  const hasProjects = useProjects().length > 0;
  return (
    <>
      {hasProjects && (
        <Field label={projects.single} error={errorOf('project_id')}>
          <RowPicker
            path="/api/v1/projects"
            value={place.projectId}
            noneName={projects.noProject}
            onPick={(projectId) => onChange({ projectId, walletId: '', userId: '' })}
          />
        </Field>
      )}
      {place.projectId === '' && (
        <Field label={messages.wallet} error={errorOf('wallet_id')}>
          <RowPicker
            path="/api/v1/wallets"
            value={place.walletId}
            noneName={messages.walletDefault}
            onPick={(walletId) => onChange({ walletId })}
          />
        </Field>
      )}
      <UserField place={place} onChange={onChange} errorOf={errorOf} />
    </>
  );
}

/** Administrators make keys for anybody, owners of a project for its owners and members. */
function UserField({ place, onChange, errorOf }: PlaceFieldsProps) {
  const { projects: messages } = useMessages();
  const isAdministrator = useIsAdministrator();
  const owned = useProjects().find(({ id, role }) => id === place.projectId && role === 'owner');
  const field = { label: messages.keyOf, hint: messages.keyOfHint, error: errorOf('user_id') };
  const change = (userId: string) => onChange({ userId });
  if (place.projectId !== '' && (isAdministrator || owned)) {
    return (
      <Field {...field}>
        <MemberChoice projectId={place.projectId} value={place.userId} onPick={change} />
      </Field>
    );
  }
  if (!isAdministrator) return null;
  return (
    <Field {...field}>
      <RowPicker path="/api/v1/users" value={place.userId} noneName={messages.mine} onPick={change} />
    </Field>
  );
}

interface MemberChoiceProps {
  readonly projectId: string;
  readonly value: string;
  readonly onPick: (userId: string) => void;
}

function MemberChoice({ projectId, value, onPick, ...described }: MemberChoiceProps) {
  const { projects: messages } = useMessages();
  const me = useMe();
  const members = useQuery(apiQuery('/api/v1/projects/{id}/members', { path: { id: projectId } }));
  const others = (members.data?.data ?? []).filter(
    ({ role, user_id: userId }) => role !== 'viewer' && userId !== me.data?.id,
  );
  return (
    <Select {...described} value={value} onChange={(event) => onPick(event.target.value)}>
      <option value="">{messages.mine}</option>
      {others.map((member) => (
        <option key={member.user_id} value={member.user_id}>
          {member.email}
        </option>
      ))}
    </Select>
  );
}
