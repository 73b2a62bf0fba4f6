import * as z from 'zod/mini';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import { FormDialog } from '../../components/form-dialog.js';
import { TextField } from '../../components/form-fields.js';
import { email, newPassword, note } from '../../forms/texts.js';
import { useApiForm } from '../../forms/use-api-form.js';
import { useMessages } from '../../messages/use-messages.js';
import { RoleField, USER_ROLES } from './role-field.js';

const schema = z.object({ email, name: note(128), password: newPassword, role: z.enum(USER_ROLES) });

export function NewUserForm({ onClose }: { readonly onClose: () => void }) {
  const { users: messages, actions, done } = useMessages();
  const refresh = useRefresh();
  const form = useApiForm({
    schema,
    texts: { email: '', name: '', password: '', role: 'member' },
    send: async (body) => {
      await api.post('/api/v1/users', { body });
      await refresh('/api/v1/users', '/api/v1/wallets');
    },
    done: (user) => done.created(user.email),
    onDone: onClose,
  });
  return (
    <FormDialog form={form} title={messages.createTitle} action={actions.create} onClose={onClose}>
      <TextField {...form.field('email')} label={messages.email} type="email" required />
      <TextField {...form.field('name')} label={messages.name} />
      <TextField
        {...form.field('password')}
        label={messages.password}
        hint={messages.passwordHint}
        type="password"
        autoComplete="new-password"
        required
      />
      <RoleField {...form.field('role')} />
    </FormDialog>
  );
}
