import { Field, TextInput } from '../../components/field.js';
import { useMessages } from '../../messages/use-messages.js';
import { BUDGET_NAMES, LIMIT_NAMES, type LimitsDraft } from './limits-draft.js';

interface LimitFieldsProps {
  readonly draft: LimitsDraft;
  readonly errorOf: (field: string) => string | undefined;
  readonly onChange: (draft: LimitsDraft) => void;
}

/** Rates, concurrency and budgets, one field each. */
export function LimitFields({ draft, errorOf, onChange }: LimitFieldsProps) {
  const { limits: messages } = useMessages().tokens;
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      {LIMIT_NAMES.map((name) => (
        <Field key={name} label={messages[name]} error={errorOf(`limits.${name}`)}>
          <TextInput
            inputMode="numeric"
            value={draft.limits[name]}
            onChange={(event) =>
              onChange({ ...draft, limits: { ...draft.limits, [name]: event.target.value } })
            }
          />
        </Field>
      ))}
      {BUDGET_NAMES.map((name) => (
        <Field key={name} label={messages[name]} error={errorOf(`budgets.${name}`)}>
          <TextInput
            placeholder={name === 'timezone' ? 'UTC' : undefined}
            value={draft.budgets[name]}
            onChange={(event) =>
              onChange({ ...draft, budgets: { ...draft.budgets, [name]: event.target.value } })
            }
          />
        </Field>
      ))}
    </div>
  );
}
