import { Field, TextArea, TextInput } from '../../components/field.js';
import { useMessages } from '../../messages/use-messages.js';
import type { PriceDraft } from './price-draft.js';

interface PriceFieldsProps {
  readonly rates: readonly string[];
  readonly draft: PriceDraft;
  readonly onChange: (draft: PriceDraft) => void;
  readonly errorOf: (param: string) => string | undefined;
}

export function PriceFields({ rates, draft, onChange, errorOf }: PriceFieldsProps) {
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
      <Field label={messages.variants} hint={messages.variantsHint} error={errorOf('price.variants')}>
        <TextArea
          rows={draft.variants === '' ? 1 : 5}
          spellCheck={false}
          className="font-mono text-xs"
          value={draft.variants}
          onChange={(event) => onChange({ ...draft, variants: event.target.value })}
        />
      </Field>
    </>
  );
}
