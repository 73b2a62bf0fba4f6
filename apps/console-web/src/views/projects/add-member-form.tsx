import * as z from 'zod/mini';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Project } from '../../api/console-api.js';
import { FormDialog } from '../../components/form-dialog.js';
import { RowField } from '../../components/row-field.js';
import { required } from '../../forms/texts.js';
import { useApiForm } from '../../forms/use-api-form.js';
import { useMessages } from '../../messages/use-messages.js';
import { RoleChoice, ROLES } from './role-choice.js';

const schema = z.object({ user_id: required, role: z.enum(ROLES) });

interface AddMemberFormProps {
  readonly project: Project;
  readonly onClose: () => void;
}

/** Lets a user in whom administrators know. */
export function AddMemberForm({ project, onClose }: AddMemberFormProps) {
  const { projects: messages, done } = useMessages();
  const refresh = useRefresh();
  const form = useApiForm({
    schema,
    texts: { user_id: '', role: 'member' },
    send: async ({ user_id, role }) => {
      const path = { id: project.id, user_id };
      await api.put('/api/v1/projects/{id}/members/{user_id}', { path, body: { role } });
      await refresh('/api/v1/projects');
    },
    done: () => done.memberAdded(project.name),
    onDone: onClose,
  });
  return (
    <FormDialog form={form} title={messages.addTitle} action={messages.add} onClose={onClose}>
      <RowField {...form.choice('user_id')} label={messages.user} path="/api/v1/users" />
      <RoleChoice {...form.field('role')} role={form.read('role')} />
    </FormDialog>
  );
}
