import { Field, TextInput } from '../../components/field.js';
import { useMessages } from '../../messages/use-messages.js';

/** Most tokens that a model takes and gives, as they are written in a form. */
interface SizeDraft {
  readonly context_window: string;
  readonly max_output_tokens: string;
}

export const NO_SIZES: SizeDraft = { context_window: '', max_output_tokens: '' };

/** Empty fields are limits that nobody knows. */
export function toSizes(draft: SizeDraft): Record<keyof SizeDraft, number | null> {
  const read = (text: string) => (text.trim() === '' ? null : Number(text));
  return {
    context_window: read(draft.context_window),
    max_output_tokens: read(draft.max_output_tokens),
  };
}

interface SizeFieldsProps {
  readonly draft: SizeDraft;
  readonly onChange: (draft: SizeDraft) => void;
  readonly errorOf: (param: string) => string | undefined;
}

export function SizeFields({ draft, onChange, errorOf }: SizeFieldsProps) {
  const { models: messages } = useMessages();
  const labels = { context_window: messages.contextWindow, max_output_tokens: messages.maxOutput };
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      {(['context_window', 'max_output_tokens'] as const).map((name) => (
        <Field
          key={name}
          label={labels[name]}
          hint={name === 'context_window' ? messages.contextWindowHint : undefined}
          error={errorOf(name)}
        >
          <TextInput
            type="number"
            min={1}
            step={1}
            value={draft[name]}
            onChange={(event) => onChange({ ...draft, [name]: event.target.value })}
          />
        </Field>
      ))}
    </div>
  );
}
