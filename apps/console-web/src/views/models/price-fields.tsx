import { type BoundField, TextAreaField, TextField } from '../../components/form-fields.js';
import { useMessages } from '../../messages/use-messages.js';
import type { PricePart } from './price-schema.js';

interface PriceFieldsProps {
  readonly rates: readonly string[];
  readonly parts: readonly PricePart[];
  /** What a change of them does. */
  readonly note?: string;
  readonly field: (name: `price.${string}`) => BoundField;
  readonly read: (name: `price.${string}`) => string | undefined;
}

/** All other rates are money. */
const isShare = (rate: string) => rate.endsWith('_share');

export function PriceFields({ rates, parts, note, field, read }: PriceFieldsProps) {
  const { models: messages } = useMessages();
  const nameOf = (rate: string) => messages.rates[rate] ?? rate;
  const shares = rates.filter(isShare);
  const toField = (rate: string) => (
    <TextField
      key={rate}
      {...field(`price.${rate}`)}
      label={nameOf(rate)}
      hint={isShare(rate) ? messages.shareHint : undefined}
      inputMode="decimal"
    />
  );
  return (
    <>
      <fieldset className="grid items-end gap-4 sm:grid-cols-2">
        <legend className="mb-2 font-semibold">{messages.inUsd}</legend>
        {note !== undefined && <p className="text-muted text-xs sm:col-span-2">{note}</p>}
        {rates.filter((rate) => !isShare(rate)).map(toField)}
      </fieldset>
      {shares.length > 0 && <div className="grid items-end gap-4 sm:grid-cols-2">{shares.map(toField)}</div>}
      {parts.map((part) => (
        <TextAreaField
          key={part}
          {...field(`price.${part}`)}
          label={messages.parts[part].title}
          hint={messages.parts[part].hint}
          rows={read(`price.${part}`) ? 5 : 2}
          spellCheck={false}
          className="font-mono text-xs"
        />
      ))}
    </>
  );
}
