import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api/api-query.js';
import { useIsAdministrator, useMe } from '../../api/use-me.js';
import { useProjects } from '../../api/use-projects.js';
import { type BoundField, SelectField } from '../../components/form-fields.js';
import { RowField } from '../../components/row-field.js';
import type { ApiForm } from '../../forms/use-api-form.js';
import { useMessages } from '../../messages/use-messages.js';
import type { TokenTexts } from './token-schema.js';

interface PlaceFieldsProps {
  readonly form: Pick<ApiForm<TokenTexts>, 'choice' | 'field' | 'read'>;
}

/** What pays for a new key - a project, or a wallet - and for whom it is made. */
export function PlaceFields({ form }: PlaceFieldsProps) {
  const { tokens: messages, projects } = useMessages();
  const hasProjects = useProjects().length > 0;
  const project = form.choice('project_id');
  const wallet = form.choice('wallet_id');
  const user = form.choice('user_id');
  return (
    <>
      {hasProjects && (
        <RowField
          {...project}
          label={projects.single}
          path="/api/v1/projects"
          noneName={projects.noProject}
          onPick={(id) => {
            project.onPick(id);
            // Of another place they would be refused.
            wallet.onPick('');
            user.onPick('');
          }}
        />
      )}
      {project.value === '' && (
        <RowField
          {...wallet}
          label={messages.wallet}
          path="/api/v1/wallets"
          noneName={messages.walletDefault}
        />
      )}
      <UserField form={form} />
    </>
  );
}

/** Administrators make keys for anybody, owners of a project for its owners and members. */
function UserField({ form }: PlaceFieldsProps) {
  const { projects: messages } = useMessages();
  const isAdministrator = useIsAdministrator();
  const projectId = form.read('project_id');
  const owned = useProjects().find(({ id, role }) => id === projectId && role === 'owner');
  if (projectId !== '' && (isAdministrator || owned)) {
    return <MemberField {...form.field('user_id')} projectId={projectId} />;
  }
  if (!isAdministrator) return null;
  return (
    <RowField
      {...form.choice('user_id')}
      label={messages.keyOf}
      hint={messages.keyOfHint}
      path="/api/v1/users"
      noneName={messages.mine}
    />
  );
}

function MemberField({ projectId, ...field }: BoundField & { readonly projectId: string }) {
  const { projects: messages } = useMessages();
  const me = useMe();
  const members = useQuery(apiQuery('/api/v1/projects/{id}/members', { path: { id: projectId } }));
  const others = (members.data?.data ?? []).filter(
    ({ role, user_id: userId }) => role !== 'viewer' && userId !== me.data?.id,
  );
  return (
    <SelectField {...field} label={messages.keyOf} hint={messages.keyOfHint}>
      <option value="">{messages.mine}</option>
      {others.map((member) => (
        <option key={member.user_id} value={member.user_id}>
          {member.email}
        </option>
      ))}
    </SelectField>
  );
}
