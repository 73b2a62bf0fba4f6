import * as z from 'zod/mini';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Project } from '../../api/console-api.js';
import { FormDialog } from '../../components/form-dialog.js';
import { TextField } from '../../components/form-fields.js';
import { name } from '../../forms/texts.js';
import { useApiForm } from '../../forms/use-api-form.js';
import { useMessages } from '../../messages/use-messages.js';

const schema = z.object({ name });

interface RenameFormProps {
  readonly project: Project;
  readonly onClose: () => void;
}

/** Gives a project another name. */
export function RenameForm({ project, onClose }: RenameFormProps) {
  const { projects: messages, actions, done } = useMessages();
  const refresh = useRefresh();
  const form = useApiForm({
    schema,
    texts: { name: project.name },
    send: async (body) => {
      await api.patch('/api/v1/projects/{id}', { path: { id: project.id }, body });
      await refresh('/api/v1/projects');
    },
    done: (renamed) => done.saved(renamed.name),
    onDone: onClose,
  });
  return (
    <FormDialog
      form={form}
      title={messages.renameTitle(project.name)}
      action={actions.save}
      onClose={onClose}
    >
      <TextField {...form.field('name')} label={messages.name} required />
    </FormDialog>
  );
}
