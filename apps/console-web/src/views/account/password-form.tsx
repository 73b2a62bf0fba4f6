import * as z from 'zod/mini';
import { api } from '../../api/client.js';
import { session } from '../../api/session.js';
import { Button } from '../../components/button.js';
import { Form } from '../../components/form.js';
import { TextField } from '../../components/form-fields.js';
import { newPassword, secret } from '../../forms/texts.js';
import { useApiForm } from '../../forms/use-api-form.js';
import { useMessages } from '../../messages/use-messages.js';

const schema = z.object({ current_password: secret, new_password: newPassword });

/** Changes the reader's own password, and empties itself then. */
export function PasswordForm() {
  const { account: messages } = useMessages();
  const form = useApiForm({
    schema,
    texts: { current_password: '', new_password: '' },
    send: async (body) => session.replace(await api.post('/api/v1/me/password', { body })),
    done: () => messages.done,
    onDone: () => {
      form.reset();
    },
  });
  return (
    <Form
      form={form}
      className="flex max-w-md flex-col gap-4"
      buttons={
        <Button kind="primary" type="submit" className="self-start" disabled={form.isPending}>
          {messages.changePassword}
        </Button>
      }
    >
      <TextField
        {...form.field('current_password')}
        label={messages.current}
        type="password"
        autoComplete="current-password"
        required
      />
      <TextField
        {...form.field('new_password')}
        label={messages.next}
        type="password"
        autoComplete="new-password"
        required
      />
    </Form>
  );
}
