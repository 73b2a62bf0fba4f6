import { useMutation } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { session } from '../../api/session.js';
import { Button } from '../../components/button.js';
import { ErrorNotice, useFaults } from '../../components/error-notice.js';
import { Field, TextInput } from '../../components/field.js';
import { useMessages } from '../../messages/use-messages.js';

interface RegisterFormProps {
  readonly token: string;
  /** Whom the invitation is for; `null` for whoever has it. */
  readonly email: string | null;
  readonly onJoined: () => void;
}

/** For somebody who is no user yet, or not signed in. */
export function RegisterForm({ token, email, onJoined }: RegisterFormProps) {
  const { invitations: messages, login, users } = useMessages();
  const [address, setAddress] = useState(email ?? '');
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const registration = useMutation({
    mutationFn: () => session.openByInvitation({ token, email: address, name, password }),
    onSuccess: onJoined,
  });
  const { error } = registration;
  const errorOf = useFaults(error);
  return (
    <>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          registration.mutate();
        }}
      >
        <Field label={login.email} error={errorOf('email')}>
          <TextInput
            type="email"
            autoComplete="username"
            required
            readOnly={email !== null}
            value={address}
            onChange={(event) => setAddress(event.target.value)}
          />
        </Field>
        <Field label={users.name} error={errorOf('name')}>
          <TextInput autoComplete="name" value={name} onChange={(event) => setName(event.target.value)} />
        </Field>
        <Field label={messages.newPassword} hint={users.passwordHint} error={errorOf('password')}>
          <TextInput
            type="password"
            autoComplete="new-password"
            required
            value={password}
            onChange={(event) => setPassword(event.target.value)}
          />
        </Field>
        {error && ['email', 'name', 'password'].every((field) => !errorOf(field)) && (
          <ErrorNotice error={error} />
        )}
        <Button kind="primary" type="submit" disabled={registration.isPending}>
          {messages.register}
        </Button>
      </form>
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
