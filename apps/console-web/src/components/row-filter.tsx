import type { NamedPath } from '../api/use-names.js';
import { useMessages } from '../messages/use-messages.js';
import { Field } from './field.js';
import { RowPicker } from './row-picker.js';

interface RowFilterProps {
  readonly label: string;
  readonly path: NamedPath;
  /** Id of the chosen row. */
  readonly value: string | undefined;
  /** Empty for all. */
  readonly onFilter: (id: string) => void;
}

/** A filter by one row of a list that the API searches, or by none. */
export function RowFilter({ label, path, value = '', onFilter }: RowFilterProps) {
  const { states } = useMessages();
  return (
    <Field label={label}>
      <RowPicker path={path} value={value} noneName={states.all} onPick={onFilter} />
    </Field>
  );
}
