import * as z from 'zod/mini';
import type { Project, ProjectGroups } from '../../api/console-api.js';
import { FormDialog } from '../../components/form-dialog.js';
import { TextField } from '../../components/form-fields.js';
import { required } from '../../forms/texts.js';
import { useApiForm } from '../../forms/use-api-form.js';
import { useMessages } from '../../messages/use-messages.js';
import { RoleChoice, ROLES } from './role-choice.js';

type Group = ProjectGroups['data'][number];

/** `data` is what the API calls all groups: what is wrong with the new one is wrong with them. */
const schema = z.object({ data: required, role: z.enum(ROLES) });

interface AddGroupFormProps {
  readonly project: Project;
  readonly onAdd: (group: Group) => Promise<void>;
  readonly onClose: () => void;
}

/** Lets a group of single sign-on into a project. */
export function AddGroupForm({ project, onAdd, onClose }: AddGroupFormProps) {
  const { projectGroups: messages, done } = useMessages();
  const form = useApiForm({
    schema,
    texts: { data: '', role: 'member' },
    send: ({ data: value, role }) => onAdd({ value, role }),
    done: () => done.groupAdded(project.name),
    onDone: onClose,
  });
  return (
    <FormDialog form={form} title={messages.add} action={messages.add} onClose={onClose}>
      <TextField {...form.field('data')} label={messages.group} hint={messages.groupHint} required />
      <RoleChoice {...form.field('role')} role={form.read('role')} />
    </FormDialog>
  );
}
