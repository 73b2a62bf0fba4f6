import { Toast } from '@base-ui/react/toast';
import { Icon } from '../components/icon.js';
import { toastManager } from '../components/show-toast.js';
import { useMessages } from '../messages/use-messages.js';

const SHOWN_MS = 6_000;
/** More at once would cover the view. */
const MOST = 3;

/**
 * What was done, at the corner of the screen and over dialogs, read out when a screen reader has finished what it says. It
 * stays while the pointer or the focus is on it; F6 takes the focus there. On a phone it is the last one alone, at the top:
 * what dialogs ask to press is at the bottom.
 */
export default function Toasts() {
  const { done: messages } = useMessages();
  return (
    <Toast.Provider toastManager={toastManager} timeout={SHOWN_MS} limit={MOST}>
      <Toast.Viewport
        aria-label={messages.region}
        data-toasts
        className="max-sm:top-0 pointer-events-none fixed right-0 sm:bottom-0 z-40 flex w-[min(24rem,100vw)] flex-col gap-2 p-4 outline-none"
      >
        <ToastList />
      </Toast.Viewport>
    </Toast.Provider>
  );
}

function ToastList() {
  const { done: messages } = useMessages();
  const { toasts } = Toast.useToastManager();
  return toasts.map((toast) => (
    <Toast.Root
      key={toast.id}
      toast={toast}
      role="group"
      // Of its own role, a dialog: a group may not have it.
      aria-modal={undefined}
      className="border-line bg-surface text-ink pointer-events-auto flex items-start gap-3 rounded-xl border px-4 py-3 shadow-lg data-limited:hidden max-sm:not-first:hidden"
    >
      <span className="text-good mt-0.5">
        <Icon name="check" />
      </span>
      <Toast.Title className="min-w-0 flex-1 wrap-anywhere" />
      <Toast.Close
        aria-label={messages.close}
        className="text-muted hover:bg-raised touch:-m-2.5 touch:p-3.5 -m-1 rounded-lg p-1.5"
      >
        <Icon name="close" />
      </Toast.Close>
    </Toast.Root>
  ));
}
