import type { ProjectMember } from '../../api/console-api.js';
import { Field, Select } from '../../components/field.js';
import { useMessages } from '../../messages/use-messages.js';

export const ROLES = ['owner', 'member', 'viewer'] as const;

interface RoleChoiceProps {
  readonly role: ProjectMember['role'];
  readonly onChange: (role: ProjectMember['role']) => void;
}

/** A role in a project, and what it may do. */
export function RoleChoice({ role, onChange }: RoleChoiceProps) {
  const { projects: messages } = useMessages();
  return (
    <Field label={messages.memberRole} hint={messages.roleTexts[role]}>
      <Select value={role} onChange={(event) => onChange(event.target.value as ProjectMember['role'])}>
        {ROLES.map((name) => (
          <option key={name} value={name}>
            {messages.roles[name]}
          </option>
        ))}
      </Select>
    </Field>
  );
}
