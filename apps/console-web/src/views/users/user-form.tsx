import { useState } from 'react';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { User } from '../../api/console-api.js';
import { Checkbox, Field, TextInput } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { useMessages } from '../../messages/use-messages.js';
import { BudgetFields, LimitFields } from '../limits/limit-fields.js';
import { toLimitsBody, toLimitsDraft } from '../limits/limits-draft.js';
import { SubjectBudgets } from '../limits/subject-budgets.js';
import { RoleField } from './role-field.js';

export function UserForm({ user, onClose }: { readonly user: User; readonly onClose: () => void }) {
  const { users: messages, actions, done } = useMessages();
  const refresh = useRefresh();
  const [role, setRole] = useState(user.role);
  const [isDisabled, setDisabled] = useState(user.disabled);
  const [password, setPassword] = useState('');
  const [limits, setLimits] = useState(() => toLimitsDraft(user));
  const submit = async () => {
    await api.patch('/api/v1/users/{id}', {
      path: { id: user.id },
      body: {
        role,
        disabled: isDisabled,
        password: password === '' ? undefined : password,
        ...toLimitsBody(limits),
      },
    });
    await refresh('/api/v1/users', '/api/v1/budgets');
  };
  return (
    <FormDialog
      title={messages.editTitle(user.email)}
      action={actions.save}
      done={done.saved(user.email)}
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
          <LimitFields draft={limits} errorOf={errorOf} onChange={setLimits} />
          <BudgetFields draft={limits} errorOf={errorOf} onChange={setLimits} />
          <SubjectBudgets id={user.id} />
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
