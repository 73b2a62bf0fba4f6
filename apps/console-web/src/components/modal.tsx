import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import { useMessages } from '../messages/use-messages.js';
import { Icon } from './icon.js';

const SHAPES = {
  dialog: 'm-auto w-[min(34rem,calc(100vw-2rem))] max-h-[calc(100dvh-2rem)] rounded-2xl',
  drawer: 'my-0 mr-0 ml-auto h-dvh max-h-dvh w-[min(40rem,100vw)] max-w-none',
} as const;

interface ModalProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** A question or a form over the page. */
export function Dialog(props: ModalProps) {
  return <Modal {...props} shape="dialog" />;
}

/** Details at the side of the page. */
export function Drawer(props: ModalProps) {
  return <Modal {...props} shape="drawer" />;
}

/** The browser's own modal dialog: it keeps the focus inside, closes on Escape and gives the focus back. */
function Modal({ title, onClose, children, shape }: ModalProps & { readonly shape: keyof typeof SHAPES }) {
  const { actions } = useMessages();
  const titleId = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  // Closed while it is still in the page: a dialog that is gone gives no focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose();
      }}
      className={`border-line bg-surface text-ink border p-0 ${SHAPES[shape]}`}
    >
      <div className="flex flex-col gap-5 p-5 sm:p-6">
        <header className="flex items-start justify-between gap-4">
          <h2 id={titleId} tabIndex={-1} autoFocus className="text-lg font-semibold break-words outline-none">
            {title}
          </h2>
          <button
            type="button"
            aria-label={actions.close}
            onClick={onClose}
            className="text-muted hover:bg-raised -m-1 rounded-lg p-2"
          >
            <Icon name="close" />
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
