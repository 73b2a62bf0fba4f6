import { Field, TextInput } from '../../components/field.js';
import { useMessages } from '../../messages/use-messages.js';
import { BUDGET_NAMES, LIMIT_NAMES, type LimitsDraft } from './limits-draft.js';

interface LimitFieldsProps {
  readonly draft: LimitsDraft;
  readonly errorOf: (field: string) => string | undefined;
  readonly onChange: (draft: LimitsDraft) => void;
}

/** Rates and concurrency, one field each. */
export function LimitFields({ draft, errorOf, onChange }: LimitFieldsProps) {
  const { limits: messages } = useMessages();
  return (
    <fieldset className="grid gap-4 sm:grid-cols-2">
      <legend className="mb-2 font-semibold">{messages.limits}</legend>
      {LIMIT_NAMES.map((name) => (
        <Field key={name} label={messages.names[name]} error={errorOf(`limits.${name}`)}>
          <TextInput
            inputMode="numeric"
            placeholder={messages.unlimited}
            value={draft.limits[name]}
            onChange={(event) =>
              onChange({ ...draft, limits: { ...draft.limits, [name]: event.target.value } })
            }
          />
        </Field>
      ))}
    </fieldset>
  );
}

/** What may be spent in a day, a week and a month. */
export function BudgetFields({ draft, errorOf, onChange }: LimitFieldsProps) {
  const { limits: messages } = useMessages();
  return (
    <fieldset className="grid gap-4 sm:grid-cols-2">
      <legend className="mb-2 font-semibold">{messages.budgets}</legend>
      {BUDGET_NAMES.map((name) => (
        <Field key={name} label={messages.names[name]} error={errorOf(`budgets.${name}`)}>
          <TextInput
            placeholder={name === 'timezone' ? 'UTC' : messages.unlimited}
            inputMode={name === 'timezone' ? undefined : 'decimal'}
            value={draft.budgets[name]}
            onChange={(event) =>
              onChange({ ...draft, budgets: { ...draft.budgets, [name]: event.target.value } })
            }
          />
        </Field>
      ))}
    </fieldset>
  );
}
