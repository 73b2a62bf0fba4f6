import { useState } from 'react';
import { Button } from '../../components/button.js';
import { ErrorNotice, useFaults } from '../../components/error-notice.js';
import { Field, TextInput } from '../../components/field.js';
import { useMessages } from '../../messages/use-messages.js';

interface CodeStepProps {
  /** What is wrong with the code that was sent last. */
  readonly error: Error | null;
  readonly isPending: boolean;
  readonly onCode: (code: string) => void;
  readonly onBack: () => void;
}

/** The second step of signing in: a code of the authenticator app, or a recovery code. */
export function CodeStep({ error, isPending, onCode, onBack }: CodeStepProps) {
  const { login, totp, actions } = useMessages();
  const [code, setCode] = useState('');
  const fault = useFaults(error)('code');
  return (
    <form
      className="border-line bg-surface flex flex-col gap-4 rounded-2xl border p-6"
      onSubmit={(event) => {
        event.preventDefault();
        onCode(code);
      }}
    >
      <h1 className="text-lg font-semibold">{totp.title}</h1>
      <p className="text-muted">{login.codeText}</p>
      <Field label={totp.code} hint={totp.codeHint} error={fault}>
        <TextInput
          autoComplete="one-time-code"
          required
          autoFocus
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
      </Field>
      {error && fault === undefined && <ErrorNotice error={error} />}
      <div className="flex justify-end gap-2">
        <Button onClick={onBack}>{actions.back}</Button>
        <Button kind="primary" type="submit" disabled={isPending}>
          {login.submit}
        </Button>
      </div>
    </form>
  );
}
