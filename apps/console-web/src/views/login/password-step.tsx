import * as z from 'zod/mini';
import { ApiError } from '../../api/answer.js';
import { session } from '../../api/session.js';
import { Button } from '../../components/button.js';
import { Form } from '../../components/form.js';
import { TextField } from '../../components/form-fields.js';
import { required, secret } from '../../forms/texts.js';
import { useApiForm } from '../../forms/use-api-form.js';
import { useMessages } from '../../messages/use-messages.js';

/** An address that is none is no user's: the API says so. */
const schema = z.object({ email: required, password: secret });

export type Entry = z.output<typeof schema>;

interface PasswordStepProps {
  /** What was written before, where somebody comes back. */
  readonly entry: Entry;
  /** The user has a second factor. */
  readonly onCodeNeeded: (entry: Entry) => void;
  readonly onDone: () => void;
}

/** The first step of signing in, for most the only one. */
export function PasswordStep({ entry, onCodeNeeded, onDone }: PasswordStepProps) {
  const { login } = useMessages();
  const form = useApiForm({
    schema,
    texts: entry,
    send: async ({ email, password }) => {
      try {
        await session.open(email, password);
        onDone();
      } catch (error) {
        if (!(error instanceof ApiError) || error.param !== 'code') throw error;
        onCodeNeeded({ email, password });
      }
    },
  });
  return (
    <Form
      form={form}
      className="border-line bg-surface flex flex-col gap-4 rounded-2xl border p-6"
      buttons={
        <Button kind="primary" type="submit" disabled={form.isPending}>
          {login.submit}
        </Button>
      }
    >
      <h1 className="text-lg font-semibold">{login.title}</h1>
      <TextField
        {...form.field('email')}
        label={login.email}
        type="email"
        autoComplete="username"
        required
        autoFocus
      />
      <TextField
        {...form.field('password')}
        label={login.password}
        type="password"
        autoComplete="current-password"
        required
      />
    </Form>
  );
}
