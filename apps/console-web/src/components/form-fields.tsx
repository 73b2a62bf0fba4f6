import type { ComponentProps } from 'react';
import type { UseFormRegisterReturn } from 'react-hook-form';
import { Checkbox, Field, Select, TextArea, TextInput } from './field.js';

/** What `useApiForm` binds an input to a field of the form with. */
export interface BoundField {
  readonly input: UseFormRegisterReturn;
  /** What is wrong with it. */
  readonly fault: string | undefined;
}

/** The same for what is chosen otherwise than by an input of the browser. */
export interface BoundChoice {
  /** Id of what is chosen; empty for nothing. */
  readonly value: string;
  readonly onPick: (id: string) => void;
  readonly fault: string | undefined;
}

/** What stands around an input. */
export interface Labels {
  readonly label: string;
  readonly hint?: string | undefined;
}

export function TextField({
  input,
  fault,
  label,
  hint,
  ...rest
}: BoundField & Labels & ComponentProps<'input'>) {
  return (
    <Field label={label} hint={hint} error={fault}>
      <TextInput {...rest} {...input} />
    </Field>
  );
}

export function TextAreaField({
  input,
  fault,
  label,
  hint,
  ...rest
}: BoundField & Labels & ComponentProps<'textarea'>) {
  return (
    <Field label={label} hint={hint} error={fault}>
      <TextArea {...rest} {...input} />
    </Field>
  );
}

/** One of a few choices, which are its children. */
export function SelectField({
  input,
  fault,
  label,
  hint,
  ...rest
}: BoundField & Labels & ComponentProps<'select'>) {
  return (
    <Field label={label} hint={hint} error={fault}>
      <Select {...rest} {...input} />
    </Field>
  );
}

export function CheckField({ input, fault: _fault, ...rest }: BoundField & ComponentProps<typeof Checkbox>) {
  return <Checkbox {...rest} {...input} />;
}
