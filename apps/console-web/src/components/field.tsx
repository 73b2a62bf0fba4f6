import { cloneElement, type ComponentProps, type ReactElement, type ReactNode, useId } from 'react';
import { Icon } from './icon.js';

export const INPUT =
  'min-h-9.5 touch:min-h-11 touch:text-base w-full rounded-lg border border-edge bg-surface px-3 py-2 text-ink placeholder:text-muted focus:border-accent aria-invalid:border-bad aria-invalid:outline-bad';

/** What a field tells the input inside of it. */
export interface DescribedInput {
  id?: string;
  'aria-describedby'?: string | undefined;
  'aria-invalid'?: boolean | undefined;
}

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
  /** The input; it gets its id and the ids of what describes it from here. */
  readonly children: ReactElement<DescribedInput>;
}

/** An input with its label, and with its hint or what is wrong with it below. */
export function Field({ label, hint, error, children }: FieldProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <label id={`${id}-label`} htmlFor={id} className="font-medium">
        {label}
      </label>
      {cloneElement(children, {
        id,
        'aria-describedby': note === undefined ? undefined : `${id}-note`,
        'aria-invalid': error === undefined ? undefined : true,
      })}
      {note !== undefined && (
        <p
          id={`${id}-note`}
          role={error === undefined ? undefined : 'alert'}
          className={`text-xs text-balance ${error === undefined ? 'text-muted' : 'text-bad'}`}
        >
          {note}
        </p>
      )}
    </div>
  );
}

export function TextInput(props: ComponentProps<'input'>) {
  return <input {...props} className={`${INPUT} ${props.className ?? ''}`} />;
}

export function TextArea(props: ComponentProps<'textarea'>) {
  return <textarea {...props} className={`${INPUT} ${props.className ?? ''}`} />;
}

export function Select(props: ComponentProps<'select'>) {
  return (
    <div className="relative">
      <select {...props} className={`${INPUT} appearance-none truncate pr-8 ${props.className ?? ''}`} />
      <span className="text-muted touch:h-11 pointer-events-none absolute top-0 right-2.5 flex h-9.5 items-center">
        <Icon name="choose" />
      </span>
    </div>
  );
}

interface CheckboxProps extends ComponentProps<'input'> {
  readonly label: string;
}

export function Checkbox({ label, ...rest }: CheckboxProps) {
  return (
    <label className="touch:min-h-11 flex items-center gap-2">
      <input type="checkbox" {...rest} className="accent-accent touch:size-5 size-4 shrink-0" />
      {label}
    </label>
  );
}
