import { Field, Select } from '../../components/field.js';
import { useMessages } from '../../messages/use-messages.js';

interface ModelChoiceProps {
  readonly models: readonly string[] | undefined;
  readonly value: string;
  readonly onChange: (model: string) => void;
}

export function ModelChoice({ models, value, onChange }: ModelChoiceProps) {
  const { playground: messages } = useMessages();
  const isEmpty = models?.length === 0;
  return (
    <Field label={messages.model} hint={isEmpty ? messages.noModels : undefined}>
      <Select value={value} onChange={(event) => onChange(event.target.value)}>
        {models?.map((model) => (
          <option key={model} value={model}>
            {model}
          </option>
        ))}
      </Select>
    </Field>
  );
}
