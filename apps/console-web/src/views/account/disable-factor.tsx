import { useState } from 'react';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import { Field, TextInput } from '../../components/field.js';
import { FormDialog } from '../../components/form-dialog.js';
import { useMessages } from '../../messages/use-messages.js';

/** Takes the password and a code, as setting it up did. */
export function DisableFactor({ onClose }: { readonly onClose: () => void }) {
  const { totp: messages, account } = useMessages();
  const refresh = useRefresh();
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const submit = async () => {
    await api.post('/api/v1/me/totp/disable', { body: { current_password: password, code } });
    await refresh('/api/v1/me/totp');
  };
  return (
    <FormDialog title={messages.disableTitle} action={messages.disable} onSubmit={submit} onClose={onClose}>
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
          <Field label={messages.code} hint={messages.codeHint} error={errorOf('code')}>
            <TextInput
              autoComplete="one-time-code"
              required
              value={code}
              onChange={(event) => setCode(event.target.value)}
            />
          </Field>
        </>
      )}
    </FormDialog>
  );
}
