import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { useMessages } from '../messages/use-messages.js';
import { Button } from './button.js';
import { ConfirmDialog, type ConfirmDialogProps } from './confirm-dialog.js';
import { ErrorNotice, useFaults } from './error-notice.js';
import { Dialog } from './modal.js';
import { showToast } from './show-toast.js';

interface FormDialogProps {
  readonly title: string;
  readonly action: string;
  readonly onSubmit: () => Promise<unknown>;
  readonly onClose: () => void;
  /** What a toast tells once it was sent, where nothing else shows that. */
  readonly done?: string | undefined;
  /** After it was sent; closes by default. */
  readonly onDone?: (() => void) | undefined;
  /** Whether it shows what cannot be shown again: only its buttons close it from the start. */
  readonly isShownOnce?: boolean;
  /** What to ask before it is sent; nothing by default. */
  readonly question?: Pick<ConfirmDialogProps, 'title' | 'text' | 'action'> | undefined;
  /** The fields; `errorOf` answers what is wrong with one of them. */
  readonly children: (errorOf: (param: string) => string | undefined) => ReactNode;
}

/**
 * A form over the page. What the API says about a field stands below that field, anything else below the form. Once
 * something is written only its buttons close it.
 */
export function FormDialog({
  title,
  action,
  onSubmit,
  onClose,
  done,
  onDone = onClose,
  isShownOnce = false,
  question,
  children,
}: FormDialogProps) {
  const { actions } = useMessages();
  const submission = useMutation({
    mutationFn: onSubmit,
    onSuccess: () => {
      if (done !== undefined) showToast(done);
      onDone();
    },
  });
  const [isTouched, setTouched] = useState(isShownOnce);
  const [isAsking, setAsking] = useState(false);
  const { error } = submission;
  const { form, isAtField } = useFaultyField(error);
  const errorOf = useFaults(error);
  return (
    <Dialog title={title} onClose={onClose} closedBy={isTouched ? 'button' : 'escape'}>
      <form
        ref={form}
        className="flex flex-col gap-4"
        onChange={() => setTouched(true)}
        onSubmit={(event) => {
          event.preventDefault();
          if (question) setAsking(true);
          else submission.mutate();
        }}
      >
        {children(errorOf)}
        {error && !isAtField && <ErrorNotice error={error} />}
        <div className="border-line bg-surface sticky bottom-0 -mx-5 -mb-5 flex justify-end gap-2 border-t px-5 py-3 sm:-mx-6 sm:-mb-6 sm:px-6">
          <Button onClick={onClose}>{actions.cancel}</Button>
          <Button kind="primary" type="submit" disabled={submission.isPending}>
            {action}
          </Button>
        </div>
      </form>
      {question && isAsking && (
        <ConfirmDialog
          {...question}
          onClose={() => setAsking(false)}
          onConfirm={async () => submission.mutate()}
        />
      )}
    </Dialog>
  );
}

/** Whether a field of the form says what is wrong; it gets the focus, in the middle so that what is wrong with it is seen. */
function useFaultyField(error: Error | null) {
  const form = useRef<HTMLFormElement>(null);
  const [isAtField, setAtField] = useState(false);
  useLayoutEffect(() => {
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    field?.focus({ preventScroll: true });
    field?.scrollIntoView({ block: 'center' });
    setAtField(field !== null && field !== undefined);
  }, [error]);
  return { form, isAtField };
}
