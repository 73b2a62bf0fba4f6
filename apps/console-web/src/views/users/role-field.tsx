import type { User } from '../../api/console-api.js';
import { Field, Select } from '../../components/field.js';
import { useMessages } from '../../messages/use-messages.js';

const ROLES = ['member', 'administrator'] as const;

interface RoleFieldProps {
  readonly role: User['role'];
  readonly onChange: (role: User['role']) => void;
}

export function RoleField({ role, onChange }: RoleFieldProps) {
  const { users: messages } = useMessages();
  return (
    <Field label={messages.role}>
      <Select value={role} onChange={(event) => onChange(event.target.value as User['role'])}>
        {ROLES.map((name) => (
          <option key={name} value={name}>
            {messages.roles[name]}
          </option>
        ))}
      </Select>
    </Field>
  );
}
