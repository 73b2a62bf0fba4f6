import type { CodeBatchWithCodes } from '../../api/console-api.js';
import { Button } from '../../components/button.js';
import { CodeBlock } from '../../components/code-block.js';
import { Dialog, ModalFoot } from '../../components/modal.js';
import { useMessages } from '../../messages/use-messages.js';

interface NewCodesDialogProps {
  readonly batch: CodeBatchWithCodes;
  readonly onClose: () => void;
}

/** Shows new codes the one time that they can be shown. */
export function NewCodesDialog({ batch, onClose }: NewCodesDialogProps) {
  const { codes: messages, tokens } = useMessages();
  return (
    <Dialog title={messages.madeTitle} onClose={onClose} closedBy="content">
      <p className="text-muted">{messages.madeText}</p>
      <CodeBlock text={batch.codes.join('\n')} label={messages.title} />
      <ModalFoot>
        <Button kind="primary" onClick={onClose}>
          {tokens.keyDone}
        </Button>
      </ModalFoot>
    </Dialog>
  );
}
