import { Button } from '../../components/button.js';
import { ErrorNotice } from '../../components/error-notice.js';
import { Field, TextInput } from '../../components/field.js';
import { useMessages } from '../../messages/use-messages.js';

interface PasswordStepProps {
  readonly email: string;
  readonly password: string;
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly onEmail: (email: string) => void;
  readonly onPassword: (password: string) => void;
  readonly onSubmit: () => void;
}

/** The first step of signing in, for most the only one. */
export function PasswordStep({
  email,
  password,
  error,
  isPending,
  onEmail,
  onPassword,
  onSubmit,
}: PasswordStepProps) {
  const { login } = useMessages();
  return (
    <form
      className="border-line bg-surface flex flex-col gap-4 rounded-2xl border p-6"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      <h1 className="text-lg font-semibold">{login.title}</h1>
      <Field label={login.email}>
        <TextInput
          type="email"
          autoComplete="username"
          required
          autoFocus
          value={email}
          onChange={(event) => onEmail(event.target.value)}
        />
      </Field>
      <Field label={login.password}>
        <TextInput
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => onPassword(event.target.value)}
        />
      </Field>
      {error && <ErrorNotice error={error} />}
      <Button kind="primary" type="submit" disabled={isPending}>
        {login.submit}
      </Button>
    </form>
  );
}
