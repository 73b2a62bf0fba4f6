import * as z from 'zod/mini';
import { Button } from '../../components/button.js';
import { Form } from '../../components/form.js';
import { TextField } from '../../components/form-fields.js';
import { required } from '../../forms/texts.js';
import { useApiForm } from '../../forms/use-api-form.js';
import { useMessages } from '../../messages/use-messages.js';

const schema = z.object({ code: required });

interface CodeStepProps {
  readonly onCode: (code: string) => Promise<void>;
  readonly onBack: () => void;
}

/** The second step of signing in: a code of the authenticator app, or a recovery code. */
export function CodeStep({ onCode, onBack }: CodeStepProps) {
  const { login, totp, actions } = useMessages();
  const form = useApiForm({ schema, texts: { code: '' }, send: ({ code }) => onCode(code) });
  return (
    <Form
      form={form}
      className="border-line bg-surface flex flex-col gap-4 rounded-2xl border p-6"
      buttons={
        <div className="flex justify-end gap-2">
          <Button onClick={onBack}>{actions.back}</Button>
          <Button kind="primary" type="submit" disabled={form.isPending}>
            {login.submit}
          </Button>
        </div>
      }
    >
      <h1 className="text-lg font-semibold">{totp.title}</h1>
      <p className="text-muted">{login.codeText}</p>
      <TextField
        {...form.field('code')}
        label={totp.code}
        hint={totp.codeHint}
        autoComplete="one-time-code"
        required
        autoFocus
      />
    </Form>
  );
}
