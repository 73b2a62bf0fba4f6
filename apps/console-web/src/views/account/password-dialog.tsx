import { useState } from 'react';
import { Field, TextInput } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { useMessages } from '../../messages/use-messages.js';

interface PasswordDialogProps {
  readonly title: string;
  readonly action: string;
  /** Whether a code of the second factor is asked for, too; none by default. */
  readonly code?: 'required' | 'if there is one';
  readonly onSubmit: (answer: { current_password: string; code?: string }) => Promise<unknown>;
  readonly done?: string;
  /** After it was sent; closes by default. */
  readonly onDone?: () => void;
  readonly onClose: () => void;
}

/** Asks somebody who is signed in for their password once more, before what matters. */
export function PasswordDialog({
  title,
  action,
  code,
  done,
  onSubmit,
  onDone,
  onClose,
}: PasswordDialogProps) {
  const { account, totp, sso } = useMessages();
  const [password, setPassword] = useState('');
  const [digits, setDigits] = useState('');
  const submit = () => onSubmit({ current_password: password, code: digits === '' ? undefined : digits });
  return (
    <FormDialog title={title} action={action} done={done} onSubmit={submit} onDone={onDone} onClose={onClose}>
      {(errorOf) => (
        <>
          <Field label={account.current} error={errorOf('current_password')}>
            <TextInput
              type="password"
              autoComplete="current-password"
              required
              value={password}
              onChange={(event) => setPassword(event.target.value)}
            />
          </Field>
          {code && (
            <Field
              label={totp.code}
              hint={code === 'required' ? totp.codeHint : sso.codeHint}
              error={errorOf('code')}
            >
              <TextInput
                autoComplete="one-time-code"
                required={code === 'required'}
                value={digits}
                onChange={(event) => setDigits(event.target.value)}
              />
            </Field>
          )}
        </>
      )}
    </FormDialog>
  );
}
