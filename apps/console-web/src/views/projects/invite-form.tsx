import { useState } from 'react';
import * as z from 'zod/mini';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Project } from '../../api/console-api.js';
import { Button } from '../../components/button.js';
import { CodeBlock } from '../../components/code-block.js';
import { FormDialog } from '../../components/form-dialog.js';
import { SelectField, TextField } from '../../components/form-fields.js';
import { Dialog, ModalFoot } from '../../components/modal.js';
import { email, orNothing, wholeNumber } from '../../forms/texts.js';
import { useApiForm } from '../../forms/use-api-form.js';
import { useMessages } from '../../messages/use-messages.js';
import { toJoinLink } from '../join/invitation.js';
import { RoleChoice, ROLES } from './role-choice.js';

const DAYS = [1, 7, 30] as const;

const schema = z.object({
  role: z.enum(ROLES),
  email: orNothing(email, null),
  expires_in_days: wholeNumber(1, 30),
});

interface InviteFormProps {
  readonly project: Project;
  readonly onClose: () => void;
}

/** Makes a link, and shows it the one time that it can be shown. */
export function InviteForm({ project, onClose }: InviteFormProps) {
  const { invitations: messages, tokens } = useMessages();
  const refresh = useRefresh();
  const [link, setLink] = useState<string>();
  const form = useApiForm({
    schema,
    texts: { role: 'member', email: '', expires_in_days: '7' },
    send: async (body) => {
      const path = { id: project.id };
      const { token } = await api.post('/api/v1/projects/{id}/invitations', { path, body });
      setLink(toJoinLink(token));
      await refresh('/api/v1/projects/{id}/invitations');
    },
  });
  if (link !== undefined) {
    return (
      <Dialog title={messages.linkTitle} onClose={onClose} closedBy="content">
        <p className="text-muted">{messages.linkText}</p>
        <CodeBlock text={link} label={messages.linkTitle} />
        <ModalFoot>
          <Button kind="primary" onClick={onClose}>
            {tokens.keyDone}
          </Button>
        </ModalFoot>
      </Dialog>
    );
  }
  return (
    <FormDialog form={form} title={messages.invite} action={messages.makeLink} onClose={onClose}>
      <RoleChoice {...form.field('role')} role={form.read('role')} />
      <TextField {...form.field('email')} label={messages.email} hint={messages.emailHint} type="email" />
      <SelectField {...form.field('expires_in_days')} label={messages.goodFor}>
        {DAYS.map((count) => (
          <option key={count} value={count}>
            {messages.days(count)}
          </option>
        ))}
      </SelectField>
    </FormDialog>
  );
}
