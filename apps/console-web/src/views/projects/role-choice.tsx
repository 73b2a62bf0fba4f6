import type { ProjectMember } from '../../api/console-api.js';
import { type BoundField, SelectField } from '../../components/form-fields.js';
import { useMessages } from '../../messages/use-messages.js';

export const ROLES = ['owner', 'member', 'viewer'] as const;

/** A role in a project, and what it may do. */
export function RoleChoice({ role, ...field }: BoundField & { readonly role: ProjectMember['role'] }) {
  const { projects: messages } = useMessages();
  return (
    <SelectField {...field} label={messages.memberRole} hint={messages.roleTexts[role]}>
      {ROLES.map((name) => (
        <option key={name} value={name}>
          {messages.roles[name]}
        </option>
      ))}
    </SelectField>
  );
}
