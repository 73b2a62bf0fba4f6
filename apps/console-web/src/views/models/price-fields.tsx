import { type BoundField, TextAreaField, TextField } from '../../components/form-fields.js';
import { useMessages } from '../../messages/use-messages.js';
import type { PricePart } from './price-schema.js';

interface PriceFieldsProps {
  readonly rates: readonly string[];
  readonly parts: readonly PricePart[];
  readonly field: (name: `price.${string}`) => BoundField;
  readonly read: (name: `price.${string}`) => string | undefined;
}

export function PriceFields({ rates, parts, field, read }: PriceFieldsProps) {
  const { models: messages } = useMessages();
  return (
    <>
      <div className="grid items-end gap-4 sm:grid-cols-2">
        {rates.map((rate) => (
          <TextField
            key={rate}
            {...field(`price.${rate}`)}
            label={messages.rates[rate] ?? rate}
            inputMode="decimal"
          />
        ))}
      </div>
      {parts.map((part) => (
        <TextAreaField
          key={part}
          {...field(`price.${part}`)}
          label={messages.parts[part].title}
          hint={messages.parts[part].hint}
          rows={read(`price.${part}`) ? 5 : 1}
          spellCheck={false}
          className="font-mono text-xs"
        />
      ))}
    </>
  );
}
