import { Field, TextArea, TextInput } from '../../components/field.js';
import { useMessages } from '../../messages/use-messages.js';
import type { PriceDraft, PricePart } from './price-draft.js';

interface PriceFieldsProps {
  readonly rates: readonly string[];
  readonly parts: readonly PricePart[];
  readonly draft: PriceDraft;
  readonly onChange: (draft: PriceDraft) => void;
  readonly errorOf: (param: string) => string | undefined;
}

export function PriceFields({ rates, parts, draft, onChange, errorOf }: PriceFieldsProps) {
  const { models: messages } = useMessages();
  return (
    <>
      <div className="grid items-end gap-4 sm:grid-cols-2">
        {rates.map((rate) => (
          <Field key={rate} label={messages.rates[rate] ?? rate} error={errorOf(`price.${rate}`)}>
            <TextInput
              inputMode="decimal"
              value={draft.rates[rate] ?? ''}
              onChange={(event) =>
                onChange({ ...draft, rates: { ...draft.rates, [rate]: event.target.value } })
              }
            />
          </Field>
        ))}
      </div>
      {parts.map((part) => (
        <Field
          key={part}
          label={messages.parts[part].title}
          hint={messages.parts[part].hint}
          error={errorOf(`price.${part}`)}
        >
          <TextArea
            rows={draft.parts[part] === undefined || draft.parts[part] === '' ? 1 : 5}
            spellCheck={false}
            className="font-mono text-xs"
            value={draft.parts[part] ?? ''}
            onChange={(event) =>
              onChange({ ...draft, parts: { ...draft.parts, [part]: event.target.value } })
            }
          />
        </Field>
      ))}
    </>
  );
}
