import { lazy, Suspense, useState } from 'react';
import * as z from 'zod/mini';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { TotpSecret } from '../../api/console-api.js';
import { session } from '../../api/session.js';
import { Button } from '../../components/button.js';
import { CodeBlock } from '../../components/code-block.js';
import { FormDialog } from '../../components/form-dialog.js';
import { TextField } from '../../components/form-fields.js';
import { Dialog, ModalFoot } from '../../components/modal.js';
import { required } from '../../forms/texts.js';
import { useApiForm } from '../../forms/use-api-form.js';
import { useMessages } from '../../messages/use-messages.js';
import { PasswordDialog } from './password-dialog.js';

/** Seldom needed: loaded when it is shown. */
const QrCode = lazy(() => import('./qr-code.js'));

const schema = z.object({ code: required });

/** The password, then the secret and a first code, then the recovery codes. */
export function SetUpFactor({ onClose }: { readonly onClose: () => void }) {
  const [secret, setSecret] = useState<TotpSecret>();
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[]>();
  if (recoveryCodes) return <RecoveryCodes codes={recoveryCodes} onClose={onClose} />;
  if (secret) return <ConfirmSecret secret={secret} onClose={onClose} onConfirmed={setRecoveryCodes} />;
  return <AskPassword onClose={onClose} onSecret={setSecret} />;
}

interface AskPasswordProps {
  readonly onClose: () => void;
  readonly onSecret: (secret: TotpSecret) => void;
}

function AskPassword({ onClose, onSecret }: AskPasswordProps) {
  const { totp: messages } = useMessages();
  return (
    <PasswordDialog
      title={messages.title}
      action={messages.next}
      onSubmit={async ({ current_password }) =>
        onSecret(await api.post('/api/v1/me/totp', { body: { current_password } }))
      }
      onDone={() => undefined}
      onClose={onClose}
    />
  );
}

interface ConfirmSecretProps {
  readonly secret: TotpSecret;
  readonly onClose: () => void;
  readonly onConfirmed: (recoveryCodes: readonly string[]) => void;
}

function ConfirmSecret({ secret, onClose, onConfirmed }: ConfirmSecretProps) {
  const { totp: messages } = useMessages();
  const refresh = useRefresh();
  const form = useApiForm({
    schema,
    texts: { code: '' },
    send: async (body) => {
      const answer = await api.post('/api/v1/me/totp/confirm', { body });
      session.replace(answer.session);
      onConfirmed(answer.recovery_codes);
      await refresh('/api/v1/me');
    },
  });
  return (
    <FormDialog form={form} title={messages.title} action={messages.confirm} isShownOnce onClose={onClose}>
      <p className="text-muted">{messages.secretText}</p>
      {/* As high as the code, so that nothing moves when it is there. */}
      <div className="flex min-h-48 justify-center">
        <Suspense fallback={null}>
          <QrCode text={secret.otpauth_uri} label={messages.qrCode} />
        </Suspense>
      </div>
      <CodeBlock text={secret.secret} label={messages.secret} />
      <CodeBlock text={secret.otpauth_uri} label={messages.link} />
      <TextField
        {...form.field('code')}
        label={messages.code}
        autoComplete="one-time-code"
        inputMode="numeric"
        required
      />
    </FormDialog>
  );
}

interface RecoveryCodesProps {
  readonly codes: readonly string[];
  readonly onClose: () => void;
}

/** Shows recovery codes the one time that they can be shown. */
function RecoveryCodes({ codes, onClose }: RecoveryCodesProps) {
  const { totp: messages } = useMessages();
  return (
    <Dialog title={messages.recoveryTitle} onClose={onClose} closedBy="content">
      <p className="text-muted">{messages.recoveryText}</p>
      <CodeBlock text={codes.join('\n')} label={messages.recoveryTitle} />
      <ModalFoot>
        <Button kind="primary" onClick={onClose}>
          {messages.saved}
        </Button>
      </ModalFoot>
    </Dialog>
  );
}
