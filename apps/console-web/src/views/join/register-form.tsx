import { Link } from '@tanstack/react-router';
import * as z from 'zod/mini';
import { session } from '../../api/session.js';
import { Button } from '../../components/button.js';
import { Form } from '../../components/form.js';
import { TextField } from '../../components/form-fields.js';
import { email as emailText, newPassword, note } from '../../forms/texts.js';
import { useApiForm } from '../../forms/use-api-form.js';
import { useMessages } from '../../messages/use-messages.js';

const schema = z.object({ email: emailText, name: note(128), password: newPassword });

interface RegisterFormProps {
  readonly token: string;
  /** Whom the invitation is for; `null` for whoever has it. */
  readonly email: string | null;
  readonly onJoined: () => void;
}

/** For somebody who is no user yet, or not signed in. */
export function RegisterForm({ token, email, onJoined }: RegisterFormProps) {
  const { invitations: messages, login, users } = useMessages();
  const form = useApiForm({
    schema,
    texts: { email: email ?? '', name: '', password: '' },
    send: (body) => session.openByInvitation({ token, ...body }),
    onDone: onJoined,
  });
  return (
    <>
      <Form
        form={form}
        buttons={
          <Button kind="primary" type="submit" disabled={form.isPending}>
            {messages.register}
          </Button>
        }
      >
        <TextField
          {...form.field('email')}
          label={login.email}
          type="email"
          autoComplete="username"
          required
          readOnly={email !== null}
        />
        <TextField {...form.field('name')} label={users.name} autoComplete="name" />
        <TextField
          {...form.field('password')}
          label={messages.newPassword}
          hint={users.passwordHint}
          type="password"
          autoComplete="new-password"
          required
        />
      </Form>
      <Link
        to="/login"
        search={{ to: '/join' }}
        className="text-accent touch:min-h-11 touch:content-center text-center font-medium"
      >
        {messages.signIn}
      </Link>
    </>
  );
}
