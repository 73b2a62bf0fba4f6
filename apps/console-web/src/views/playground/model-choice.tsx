import { useQuery } from '@tanstack/react-query';
import { apiQuery } from '../../api/api-query.js';
import { Field, Select } from '../../components/field.js';
import { useMessages } from '../../messages/use-messages.js';

/** Models of one kind that can be called. */
export function useModels(kind: string): readonly string[] | undefined {
  const catalog = useQuery({ ...apiQuery('/api/v1/catalog', { query: { limit: 200 } }), staleTime: 30_000 });
  return catalog.data?.data.filter((model) => model.kind === kind).map((model) => model.slug);
}

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
