import { useState } from 'react';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { User } from '../../api/console-api.js';
import { Checkbox, Field, TextInput } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { useMessages } from '../../messages/use-messages.js';
import { RoleField } from './role-field.js';

export function UserForm({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const { users: messages, actions } = useMessages();
  const refresh = useRefresh();
  const [role, setRole] = useState(user.role);
  const [isDisabled, setDisabled] = useState(user.disabled);
  const [password, setPassword] = useState('');
  const submit = async () => {
    await api.patch('/api/v1/users/{id}', {
      path: { id: user.id },
      body: { role, disabled: isDisabled, password: password === '' ? undefined : password },
    });
    await refresh('/api/v1/users');
  };
  return (
    <FormDialog
      title={messages.editTitle(user.email)}
      action={actions.save}
      onSubmit={submit}
      onClose={onClose}
      question={
        isDisabled && !user.disabled
          ? {
              title: messages.disableTitle(user.email),
              text: messages.disableText,
              action: messages.disableAction,
            }
          : undefined
      }
    >
      {(errorOf) => (
        <>
          <RoleField role={role} onChange={setRole} />
          <Field label={messages.newPassword} hint={messages.newPasswordHint} error={errorOf('password')}>
            <TextInput
              type="password"
              autoComplete="new-password"
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          </Field>
          <Checkbox
            label={messages.disabled}
            checked={isDisabled}
            onChange={(event) => setDisabled(event.target.checked)}
          />
        </>
      )}
    </FormDialog>
  );
}
