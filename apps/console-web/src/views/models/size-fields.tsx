import { type BoundField, TextField } from '../../components/form-fields.js';
import { orNothing, wholeNumber } from '../../forms/texts.js';
import { useMessages } from '../../messages/use-messages.js';

const MOST_TOKENS = 2_147_483_647;
const tokens = orNothing(wholeNumber(1, MOST_TOKENS), null);

/** Most tokens that a model takes and gives; empty fields are limits that nobody knows. */
export const sizeSchemas = { context_window: tokens, max_output_tokens: tokens };

type SizeName = keyof typeof sizeSchemas;

export function SizeFields({ field }: { readonly field: (name: SizeName) => BoundField }) {
  const { models: messages } = useMessages();
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <TextField
        {...field('context_window')}
        label={messages.contextWindow}
        hint={messages.contextWindowHint}
        inputMode="numeric"
      />
      <TextField {...field('max_output_tokens')} label={messages.maxOutput} inputMode="numeric" />
    </div>
  );
}
