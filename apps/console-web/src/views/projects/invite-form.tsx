import { useState } from 'react';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Project, ProjectMember } from '../../api/console-api.js';
import { Button } from '../../components/button.js';
import { CodeBlock } from '../../components/code-block.js';
import { Field, Select, TextInput } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { Dialog } from '../../components/modal.js';
import { useMessages } from '../../messages/use-messages.js';
import { toJoinLink } from '../join/invitation.js';
import { RoleChoice } from './role-choice.js';

const DAYS = [1, 7, 30] as const;

interface InviteFormProps {
  readonly project: Project;
  readonly onClose: () => void;
}

/** Makes a link, and shows it the one time that it can be shown. */
export function InviteForm({ project, onClose }: InviteFormProps) {
  const { invitations: messages, tokens } = useMessages();
  const refresh = useRefresh();
  const [role, setRole] = useState<ProjectMember['role']>('member');
  const [email, setEmail] = useState('');
  const [days, setDays] = useState(7);
  const [link, setLink] = useState<string>();
  const submit = async () => {
    const body = { role, email: email.trim() === '' ? null : email, expires_in_days: days };
    const path = { id: project.id };
    const { token } = await api.post('/api/v1/projects/{id}/invitations', { path, body });
    setLink(toJoinLink(token));
    await refresh('/api/v1/projects/{id}/invitations');
  };
  if (link !== undefined) {
    return (
      <Dialog title={messages.linkTitle} onClose={onClose} closedBy="content">
        <p className="text-muted">{messages.linkText}</p>
        <CodeBlock text={link} label={messages.linkTitle} />
        <Button kind="primary" className="self-end" onClick={onClose}>
          {tokens.keyDone}
        </Button>
      </Dialog>
    );
  }
  return (
    <FormDialog
      title={messages.invite}
      action={messages.makeLink}
      onSubmit={submit}
      onDone={() => undefined}
      onClose={onClose}
    >
      {(errorOf) => (
        <>
          <RoleChoice role={role} onChange={setRole} />
          <Field label={messages.email} hint={messages.emailHint} error={errorOf('email')}>
            <TextInput type="email" value={email} onChange={(event) => setEmail(event.target.value)} />
          </Field>
          <Field label={messages.goodFor} error={errorOf('expires_in_days')}>
            <Select value={days} onChange={(event) => setDays(Number(event.target.value))}>
              {DAYS.map((count) => (
                <option key={count} value={count}>
                  {messages.days(count)}
                </option>
              ))}
            </Select>
          </Field>
        </>
      )}
    </FormDialog>
  );
}
