import { useMessages } from '../messages/use-messages.js';
import { Field, Select } from './field.js';

interface ChoiceFilterProps {
  readonly label: string;
  readonly value: string | undefined;
  /** Values with the names that people know them by. */
  readonly choices: readonly (readonly [value: string, name: string])[];
  /** What it is called to choose none; all by default. */
  readonly noneName?: string;
  /** Empty for all. */
  readonly onFilter: (value: string) => void;
}

/** A filter by one of several values, or by none. */
export function ChoiceFilter({ label, value, choices, noneName, onFilter }: ChoiceFilterProps) {
  const { states } = useMessages();
  return (
    <Field label={label}>
      <Select value={value ?? ''} onChange={(event) => onFilter(event.target.value)}>
        <option value="">{noneName ?? states.all}</option>
        {choices.map(([choice, name]) => (
          <option key={choice} value={choice}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  );
}
