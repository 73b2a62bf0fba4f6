import * as Radix from '@radix-ui/react-toast';
import { useSyncExternalStore } from 'react';
import { ApiError } from '../api/answer.js';
import { CopyButton } from '../components/copy-button.js';
import { useSentence } from '../components/error-notice.js';
import { Icon } from '../components/icon.js';
import { toasts, type ToastText } from '../components/toasts.js';
import { useMessages } from '../messages/use-messages.js';

const SHOWN_MS = 4_000;

/** Toasts at the lower edge of every view, read out as they come. */
export function ToastsRegion() {
  const { toasts: messages } = useMessages();
  const shown = useSyncExternalStore(toasts.watch, () => toasts.shown);
  return (
    <Radix.Provider label={messages.one} duration={SHOWN_MS}>
      {shown.map((toast) => (
        <Toast key={toast.id} toast={toast} />
      ))}
      <Radix.Viewport
        label={messages.region}
        className="fixed right-0 bottom-0 z-40 flex w-[min(24rem,100vw)] flex-col gap-2 p-4 outline-none empty:hidden"
      />
    </Radix.Provider>
  );
}

function Toast({ toast }: { readonly toast: ToastText }) {
  const { actions } = useMessages();
  const isFailure = toast.done === undefined;
  return (
    <Radix.Root
      type={isFailure ? 'foreground' : 'background'}
      {...(isFailure ? { duration: Number.POSITIVE_INFINITY } : {})}
      onOpenChange={(isOpen) => isOpen || toasts.close(toast.id)}
      className="border-line bg-surface text-ink flex items-start justify-between gap-3 rounded-xl border p-3"
    >
      {isFailure ? (
        <Failure error={toast.error} />
      ) : (
        <Radix.Description className="text-good min-w-0 wrap-anywhere">{toast.done}</Radix.Description>
      )}
      <Radix.Close aria-label={actions.close} className="text-muted hover:bg-raised -m-1 rounded-lg p-2">
        <Icon name="close" />
      </Radix.Close>
    </Radix.Root>
  );
}

function Failure({ error }: { readonly error: unknown }) {
  const { errors } = useMessages();
  const requestId = error instanceof ApiError ? error.requestId : undefined;
  return (
    <div className="min-w-0">
      <Radix.Title className="text-bad font-medium">{errors.title}</Radix.Title>
      <Radix.Description className="mt-0.5 wrap-anywhere">{useSentence(error)}</Radix.Description>
      {requestId !== undefined && (
        <p className="text-muted mt-1 flex flex-wrap items-center gap-1 text-xs">
          {errors.requestId} <code className="font-mono break-all">{requestId}</code>
          <CopyButton text={requestId} />
        </p>
      )}
    </div>
  );
}
