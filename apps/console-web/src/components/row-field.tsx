import type { ComponentProps } from 'react';
import { Field } from './field.js';
import type { BoundChoice, Labels } from './form-fields.js';
import { RowPicker } from './row-picker.js';

/** One row of a list that the API searches. */
export function RowField({
  fault,
  label,
  hint,
  ...rest
}: BoundChoice & Labels & ComponentProps<typeof RowPicker>) {
  return (
    <Field label={label} hint={hint} error={fault}>
      <RowPicker {...rest} />
    </Field>
  );
}
