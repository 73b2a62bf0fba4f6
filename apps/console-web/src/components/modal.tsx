import * as Radix from '@radix-ui/react-dialog';
import { type ReactNode, useRef, useState } from 'react';
import { useMessages } from '../messages/use-messages.js';
import { Breakable } from './breakable.js';
import { Icon } from './icon.js';

const SHAPES = {
  dialog: 'inset-0 m-auto h-fit max-h-[calc(100dvh-2rem)] w-[min(34rem,calc(100vw-2rem))] rounded-2xl border',
  wide: 'inset-0 m-auto h-fit max-h-[calc(100dvh-2rem)] w-[min(60rem,calc(100vw-2rem))] rounded-2xl border',
  drawer: 'inset-y-0 right-0 w-[min(40rem,100vw)] sm:border-l',
} as const;

/** What closes it, beside what its content offers. */
const CLOSE_CONTROLS = {
  /** The close button, Escape and a click beside it. */
  anything: { escape: true, outside: true, button: true },
  /** The close button and Escape. */
  escape: { escape: true, outside: false, button: true },
  button: { escape: false, outside: false, button: true },
  /** Only what its content offers: it is shown once. */
  content: { escape: false, outside: false, button: false },
} as const;

interface ModalProps {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
  /** `anything` by default. */
  readonly closedBy?: keyof typeof CLOSE_CONTROLS;
}

/** A question or a form over the page. */
export function Dialog(props: ModalProps) {
  return <Modal {...props} shape="dialog" />;
}

/** A question that takes a table to answer. */
export function WideDialog(props: ModalProps) {
  return <Modal {...props} shape="wide" />;
}

/** Details at the side of the page. */
export function Drawer(props: ModalProps) {
  return <Modal {...props} shape="drawer" />;
}

/**
 * Stands at the end of the document, whatever opens it, so that it takes over no style from there. Radix keeps the focus
 * inside and hides the rest from screen readers. Its overlay is not used: that one writes a style element, which the page's
 * policy forbids.
 */
function Modal({
  title,
  onClose,
  children,
  closedBy = 'anything',
  shape,
}: ModalProps & { readonly shape: keyof typeof SHAPES }) {
  const { actions } = useMessages();
  const [opener] = useState(() => document.activeElement);
  const heading = useRef<HTMLHeadingElement>(null);
  const ways = CLOSE_CONTROLS[closedBy];
  return (
    <Radix.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Radix.Portal>
        <div className="fixed inset-0 z-30 bg-[rgb(8_10_16/55%)]" />
        <Radix.Content
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            event.preventDefault();
            heading.current?.focus();
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            giveBackFocus(opener);
          }}
          onEscapeKeyDown={(event) => {
            if (!ways.escape || hasOpenList(event.target)) event.preventDefault();
          }}
          onInteractOutside={(event) => {
            if (!ways.outside || isInToast(event.target)) event.preventDefault();
          }}
          className={`border-line bg-surface text-ink fixed z-30 flex scroll-pt-20 scroll-pb-24 flex-col overflow-y-auto overscroll-contain outline-none ${SHAPES[shape]}`}
        >
          <header className="border-line bg-surface sticky top-0 z-10 flex shrink-0 items-start justify-between gap-4 border-b px-5 py-4 sm:px-6">
            <Radix.Title
              ref={heading}
              tabIndex={-1}
              className="min-w-0 text-base leading-6 font-semibold text-balance wrap-anywhere outline-none"
            >
              <Breakable text={title} />
            </Radix.Title>
            {ways.button && (
              <Radix.Close
                aria-label={actions.close}
                className="text-muted hover:bg-raised touch:-m-2.5 touch:p-3.5 -m-1 rounded-lg p-2"
              >
                <Icon name="close" />
              </Radix.Close>
            )}
          </header>
          <div className="flex grow flex-col gap-5 p-5 sm:p-6">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/** Buttons of a modal, at its lower edge however long its content is. Stands last in it. */
export function ModalFoot({ children }: { readonly children: ReactNode }) {
  return (
    <div className="border-line bg-surface sticky bottom-0 z-10 -mx-5 mt-auto -mb-5 flex flex-wrap justify-end gap-2 max-sm:*:grow border-t px-5 py-3 sm:-mx-6 sm:-mb-6 sm:px-6">
      {children}
    </div>
  );
}

/** Toasts stand over dialogs and belong to none. */
function isInToast(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('[data-toasts]') !== null;
}

/** The list of a picker, or the calendar of a date, is closed first, and its form by the next Escape. That of the command palette is always open. */
function hasOpenList(target: EventTarget | null): boolean {
  return (
    target instanceof Element &&
    (target.matches('[role=combobox][aria-expanded=true]:not([cmdk-input])') ||
      target.closest('[data-calendar]:has([aria-expanded=true])') !== null)
  );
}

/** To what opened the modal; to the view where that is gone. */
function giveBackFocus(opener: Element | null): void {
  const target = opener?.isConnected ? opener : document.getElementById('content');
  if (target instanceof HTMLElement) target.focus();
}
