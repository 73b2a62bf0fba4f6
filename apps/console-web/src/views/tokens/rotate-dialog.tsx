import { useState } from 'react';
import { useRefresh } from '../../api/api-query.js';
import { api } from '../../api/client.js';
import type { Token, TokenWithKey } from '../../api/console-api.js';
import { ConfirmDialog } from '../../components/confirm-dialog.js';
import { Field, Select } from '../../components/field.js';
import { Moment } from '../../components/moment.js';
import { useMessages } from '../../messages/use-messages.js';

/** How long the old key may go on, in seconds; a week is the most that the API takes. */
const GRACES = { none: 0, hour: 3_600, day: 86_400, threeDays: 3 * 86_400, week: 7 * 86_400 } as const;
type Grace = keyof typeof GRACES;

interface RotateDialogProps {
  readonly token: Token;
  readonly onKey: (token: TokenWithKey) => void;
  readonly onClose: () => void;
}

/** Gives a key a new text; programs may be given time to change over. */
export function RotateDialog({ token, onKey, onClose }: RotateDialogProps) {
  const { tokens: messages, done } = useMessages();
  const refresh = useRefresh();
  const [grace, setGrace] = useState<Grace>('none');
  return (
    <ConfirmDialog
      title={messages.rotateTitle(token.name)}
      // A key has one former text at most.
      warning={token.former_key_until === null ? undefined : messages.rotateAgain}
      text={messages.rotateText}
      action={messages.rotate}
      done={grace === 'none' ? done.rotated(token.name) : done.rotatedSoftly(token.name)}
      onClose={onClose}
      onConfirm={async () => {
        const path = { id: token.id };
        const body = { grace_seconds: GRACES[grace] };
        onKey(await api.post('/api/v1/tokens/{id}/rotate', { path, body }));
        await refresh('/api/v1/tokens');
      }}
    >
      <Field label={messages.formerKey} hint={<Consequence graceSeconds={GRACES[grace]} />}>
        <Select value={grace} onChange={(event) => setGrace(event.target.value as Grace)}>
          {(Object.keys(GRACES) as Grace[]).map((name) => (
            <option key={name} value={name}>
              {messages.graces[name]}
            </option>
          ))}
        </Select>
      </Field>
    </ConfirmDialog>
  );
}

/** What the choice means for programs that have the old key. */
function Consequence({ graceSeconds }: { readonly graceSeconds: number }) {
  const { tokens: messages } = useMessages();
  if (graceSeconds === 0) return messages.refusedAtOnce;
  return (
    <>
      {messages.formerUntil}{' '}
      <Moment at={new Date(Date.now() + graceSeconds * 1_000).toISOString()} isAbsolute />
    </>
  );
}
