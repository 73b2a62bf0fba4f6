import { type BoundField, SelectField } from '../../components/form-fields.js';
import { useMessages } from '../../messages/use-messages.js';

export const USER_ROLES = ['member', 'administrator'] as const;

export function RoleField(field: BoundField) {
  const { users: messages } = useMessages();
  return (
    <SelectField {...field} label={messages.role}>
      {USER_ROLES.map((name) => (
        <option key={name} value={name}>
          {messages.roles[name]}
        </option>
      ))}
    </SelectField>
  );
}
