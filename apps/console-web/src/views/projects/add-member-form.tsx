import { useState } from 'react';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Project, ProjectMember } from '../../api/console-api.js';
import { Field } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { RowPicker } from '../../components/row-picker.js';
import { useMessages } from '../../messages/use-messages.js';
import { RoleChoice } from './role-choice.js';

interface AddMemberFormProps {
  readonly project: Project;
  readonly onClose: () => void;
}

/** Lets a user in whom administrators know. */
export function AddMemberForm({ project, onClose }: AddMemberFormProps) {
  const { projects: messages, done } = useMessages();
  const refresh = useRefresh();
  const [userId, setUserId] = useState('');
  const [role, setRole] = useState<ProjectMember['role']>('member');
  const submit = async () => {
    const path = { id: project.id, user_id: userId };
    await api.put('/api/v1/projects/{id}/members/{user_id}', { path, body: { role } });
    await refresh('/api/v1/projects');
  };
  return (
    <FormDialog
      title={messages.addTitle}
      action={messages.add}
      done={done.saved(project.name)}
      onSubmit={submit}
      onClose={onClose}
    >
      {() => (
        <>
          <Field label={messages.user}>
            <RowPicker path="/api/v1/users" value={userId} onPick={setUserId} />
          </Field>
          <RoleChoice role={role} onChange={setRole} />
        </>
      )}
    </FormDialog>
  );
}
