import { type BoundField, TextField } from '../../components/form-fields.js';
import { useMessages } from '../../messages/use-messages.js';
import { BUDGET_NAMES, type BudgetName, LIMIT_NAMES, type LimitName } from './limits-schema.js';

interface LimitFieldsProps {
  readonly field: (name: `limits.${LimitName}`) => BoundField;
}

/** Rates and concurrency, one field each. */
export function LimitFields({ field }: LimitFieldsProps) {
  const { limits: messages } = useMessages();
  return (
    <fieldset className="grid gap-4 sm:grid-cols-2">
      <legend className="mb-2 font-semibold">{messages.limits}</legend>
      {LIMIT_NAMES.map((name) => (
        <TextField
          key={name}
          {...field(`limits.${name}`)}
          label={messages.names[name]}
          inputMode="numeric"
          placeholder={messages.unlimited}
        />
      ))}
    </fieldset>
  );
}

interface BudgetFieldsProps {
  readonly field: (name: `budgets.${BudgetName}`) => BoundField;
}

/** What may be spent in a day, a week and a month. */
export function BudgetFields({ field }: BudgetFieldsProps) {
  const { limits: messages } = useMessages();
  return (
    <fieldset className="grid gap-4 sm:grid-cols-2">
      <legend className="mb-2 font-semibold">{messages.budgets}</legend>
      {BUDGET_NAMES.map((name) => (
        <TextField
          key={name}
          {...field(`budgets.${name}`)}
          label={messages.names[name]}
          placeholder={name === 'timezone' ? 'UTC' : messages.unlimited}
          inputMode={name === 'timezone' ? undefined : 'decimal'}
        />
      ))}
    </fieldset>
  );
}
