import { useState } from 'react';
import { isDay } from '../layout/time-zone.js';
import { DateInput } from './date-input.js';
import { Field } from './field.js';
import type { BoundChoice, Labels } from './form-fields.js';

interface DateFieldProps extends BoundChoice, Labels {
  readonly hasTime?: boolean;
}

/** A day of a form, with its time where it has one. */
export function DateField({ label, hint, fault, value, onPick, hasTime = false }: DateFieldProps) {
  return (
    <Field label={label} hint={hint} error={fault}>
      <DateInput value={value} onWrite={onPick} hasTime={hasTime} />
    </Field>
  );
}

interface DayFilterProps {
  readonly label: string;
  /** Such as 2027-01-31. */
  readonly value: string | undefined;
  /** Called with a day that there is, or an empty text. */
  readonly onFilter: (day: string) => void;
}

/** A filter by a day, in force as soon as a whole day is written. What is none is forgotten when it is left. */
export function DayFilter({ label, value = '', onFilter }: DayFilterProps) {
  const [written, setWritten] = useState<string>();
  return (
    <Field label={label}>
      <DateInput
        value={written ?? value}
        onWrite={(text) => {
          const day = text.trim();
          const isWhole = day === '' || isDay(day);
          setWritten(isWhole ? undefined : text);
          if (isWhole) onFilter(day);
        }}
        onBlur={() => setWritten(undefined)}
      />
    </Field>
  );
}
