import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useMessages } from '../messages/use-messages.js';
import { Button } from './button.js';
import { ErrorNotice } from './error-notice.js';
import { Dialog, ModalFoot } from './modal.js';
import { showToast } from './show-toast.js';

export interface ConfirmDialogProps {
  readonly title: string;
  /** What cannot be undone. */
  readonly text: string;
  /** What it does to others, where that is easily overlooked. */
  readonly warning?: string | undefined;
  /** The word on the button that does it. */
  readonly action: string;
  /** What a toast tells once it is done. */
  readonly done?: string | undefined;
  /** What is chosen with it. */
  readonly children?: ReactNode;
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Asks before something that cannot be undone. Stays open with the reason when it fails. */
export function ConfirmDialog({
  title,
  text,
  warning,
  action,
  done,
  children,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const { actions } = useMessages();
  const confirmation = useMutation({
    mutationFn: onConfirm,
    onSuccess: () => {
      if (done !== undefined) showToast(done);
      onClose();
    },
  });
  return (
    <Dialog title={title} onClose={onClose}>
      {warning !== undefined && <p className="bg-warn-soft text-warn rounded-lg px-3 py-2">{warning}</p>}
      <p className="text-muted">{text}</p>
      {children}
      {confirmation.error && <ErrorNotice error={confirmation.error} />}
      <ModalFoot>
        <Button onClick={onClose}>{actions.cancel}</Button>
        <Button kind="danger" disabled={confirmation.isPending} onClick={() => confirmation.mutate()}>
          {action}
        </Button>
      </ModalFoot>
    </Dialog>
  );
}
