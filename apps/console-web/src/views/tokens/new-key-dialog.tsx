import { useNavigate } from '@tanstack/react-router';
import { selectedKey } from '../../api/selected-key.js';
import type { TokenWithKey } from '../../api/console-api.js';
import { Button } from '../../components/button.js';
import { CopyButton } from '../../components/copy-button.js';
import { Icon } from '../../components/icon.js';
import { Dialog, ModalFoot } from '../../components/modal.js';
import { useMessages } from '../../messages/use-messages.js';
import { ConnectPanel } from '../connect/connect-panel.js';

/** Shows a new key the one time that it can be shown. */
export function NewKeyDialog({
  token,
  onClose,
}: {
  readonly token: TokenWithKey;
  readonly onClose: () => void;
}) {
  const { tokens: messages, connect } = useMessages();
  const navigate = useNavigate();
  return (
    <Dialog title={messages.keyTitle} onClose={onClose} closedBy="content">
      <p className="text-muted text-pretty">{messages.keyText}</p>
      <div className="bg-raised flex items-center gap-2 rounded-lg p-3">
        <code className="min-w-0 flex-1 font-mono break-all" data-testid="new-key">
          {token.key}
        </code>
        <CopyButton text={token.key} label={token.name} />
      </div>
      <details className="group">
        <summary className="text-muted hover:text-ink touch:py-3 flex w-fit list-none items-center gap-1.5">
          <span className="-rotate-90 group-open:rotate-0">
            <Icon name="choose" />
          </span>
          {connect.title}
        </summary>
        <div className="mt-3">
          <ConnectPanel apiKey={token.key} />
        </div>
      </details>
      <ModalFoot>
        <Button
          onClick={() => {
            selectedKey.take(token.key);
            void navigate({ to: '/playground' });
          }}
        >
          {messages.tryIt}
        </Button>
        <Button kind="primary" onClick={onClose}>
          {messages.keyDone}
        </Button>
      </ModalFoot>
    </Dialog>
  );
}
