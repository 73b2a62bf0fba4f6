import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import type { FieldValues } from 'react-hook-form';
import type { ApiForm } from '../forms/use-api-form.js';
import { ErrorNotice } from './error-notice.js';

/** What `Form` needs of a form, whatever its fields are. */
export type DrawnForm = Pick<
  ApiForm<FieldValues>,
  'submit' | 'error' | 'isAtField' | 'attempt' | 'isPending'
>;

interface FormProps {
  readonly form: DrawnForm;
  /** Whether a field sends it by Ctrl+Enter or ⌘+Enter alone, and not by Enter: it costs money. */
  readonly isCostly?: boolean;
  /** How its fields lie; below each other by default. */
  readonly className?: string;
  /** The fields. */
  readonly children: ReactNode;
  /** The buttons, below what failed. */
  readonly buttons: ReactNode;
}

/** A form: what is wrong with a field stands below that field, anything else below them all. */
export function Form({
  form,
  className = 'flex flex-col gap-4',
  isCostly = false,
  children,
  buttons,
}: FormProps) {
  const { element, isFieldShown } = useFaultyField(form.attempt);
  return (
    // What a field may hold is said by the form's schema, in the reader's language.
    <form
      ref={element}
      noValidate
      className={className}
      onKeyDown={isCostly ? sendByKeys : undefined}
      onSubmit={(event) => void form.submit(event)}
    >
      {children}
      {form.error && !(form.isAtField && isFieldShown) && <ErrorNotice error={form.error} />}
      {buttons}
    </form>
  );
}

/** Enter in a field is pressed by accident. On a button it presses that. */
function sendByKeys(event: KeyboardEvent<HTMLFormElement>): void {
  const { key, target, currentTarget, ctrlKey, metaKey } = event;
  if (key !== 'Enter' || target instanceof HTMLButtonElement) return;
  const isMeant = ctrlKey || metaKey;
  if (isMeant || target instanceof HTMLInputElement) event.preventDefault();
  // As a click does it, and so not while the button may not be pressed.
  if (isMeant) currentTarget.querySelector<HTMLButtonElement>('[type=submit]')?.click();
}

/**
 * Whether a field says what is wrong with it. The first one gets the focus, in the middle so that what is wrong with it is
 * seen.
 */
function useFaultyField(attempt: string) {
  const element = useRef<HTMLFormElement>(null);
  const [isFieldShown, setFieldShown] = useState(false);
  useLayoutEffect(() => {
    const field = element.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    field?.focus({ preventScroll: true });
    field?.scrollIntoView({ block: 'center' });
    setFieldShown(field !== null && field !== undefined);
  }, [attempt]);
  return { element, isFieldShown };
}
