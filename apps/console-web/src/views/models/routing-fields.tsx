import { type BoundField, CheckField, SelectField, TextField } from '../../components/form-fields.js';
import { useMessages } from '../../messages/use-messages.js';
import { FALLBACK_CAUSES, type RoutingTexts, STRATEGIES } from './routing-schema.js';

interface RoutingFieldsProps {
  readonly field: (name: keyof RoutingTexts) => BoundField;
  /** The fallback models as they are written. */
  readonly fallback: string;
}

export function RoutingFields({ field, fallback }: RoutingFieldsProps) {
  const { routing: messages } = useMessages();
  return (
    <fieldset className="flex flex-col gap-4">
      <legend className="mb-2 font-semibold">{messages.title}</legend>
      <SelectField {...field('routing')} label={messages.strategy}>
        {STRATEGIES.map((strategy) => (
          <option key={strategy} value={strategy}>
            {messages.strategies[strategy]}
          </option>
        ))}
      </SelectField>
      <CheckField {...field('sticky')} label={messages.sticky} />
      <CheckField {...field('hedge')} label={messages.hedge} />
      <TextField {...field('fallback')} label={messages.fallback} hint={messages.fallbackHint} />
      {fallback.trim() !== '' && (
        <fieldset className="flex flex-col gap-1.5">
          <legend className="mb-1.5 font-medium">{messages.fallbackOn}</legend>
          {FALLBACK_CAUSES.map((cause) => (
            <CheckField key={cause} {...field('fallback_on')} label={messages.causes[cause]} value={cause} />
          ))}
        </fieldset>
      )}
      <TextField
        {...field('first_token_timeout')}
        label={messages.firstToken}
        hint={messages.firstTokenHint}
      />
    </fieldset>
  );
}
