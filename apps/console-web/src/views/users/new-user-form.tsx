import { useState } from 'react';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { User } from '../../api/console-api.js';
import { Field, TextInput } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { useMessages } from '../../messages/use-messages.js';
import { RoleField } from './role-field.js';

export function NewUserForm({ onClose }: { readonly onClose: () => void }) {
  const { users: messages, actions, done } = useMessages();
  const refresh = useRefresh();
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [role, setRole] = useState<User['role']>('member');
  const submit = async () => {
    await api.post('/api/v1/users', { body: { email, name, password, role } });
    await refresh('/api/v1/users', '/api/v1/wallets');
  };
  return (
    <FormDialog
      title={messages.createTitle}
      action={actions.create}
      done={done.created(email)}
      onSubmit={submit}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <Field label={messages.email} error={errorOf('email')}>
            <TextInput
              type="email"
              required
              value={email}
              onChange={(event) => setEmail(event.target.value)}
            />
          </Field>
          <Field label={messages.name} error={errorOf('name')}>
            <TextInput value={name} onChange={(event) => setName(event.target.value)} />
          </Field>
          <Field label={messages.password} hint={messages.passwordHint} error={errorOf('password')}>
            <TextInput
              type="password"
              autoComplete="new-password"
              required
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          </Field>
          <RoleField role={role} onChange={setRole} />
        </>
      )}
    </FormDialog>
  );
}
