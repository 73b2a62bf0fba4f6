import * as z from 'zod/mini';
import { FormDialog } from '../../components/form-dialog.js';
import { TextField } from '../../components/form-fields.js';
import { orNothing, required, secret } from '../../forms/texts.js';
import { useApiForm } from '../../forms/use-api-form.js';
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

const optionalCode = orNothing(required, undefined);
const schema = z.object({ current_password: secret, code: optionalCode });
const schemaWithCode = z.object({ current_password: secret, code: z.pipe(required, optionalCode) });

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
  const form = useApiForm({
    schema: code === 'required' ? schemaWithCode : schema,
    texts: { current_password: '', code: '' },
    send: onSubmit,
    done: done === undefined ? undefined : () => done,
    onDone: onDone ?? onClose,
  });
  return (
    <FormDialog form={form} title={title} action={action} onClose={onClose}>
      <TextField
        {...form.field('current_password')}
        label={account.current}
        type="password"
        autoComplete="current-password"
        required
      />
      {code && (
        <TextField
          {...form.field('code')}
          label={totp.code}
          hint={code === 'required' ? totp.codeHint : sso.codeHint}
          autoComplete="one-time-code"
          required={code === 'required'}
        />
      )}
    </FormDialog>
  );
}
