import { PHRASE_CODES } from '@mg/contract';
import { z } from 'zod';

/** What a sentence of the product says, for pages in other languages. */
export const phrasesSchema = z.array(
  z
    .object({
      code: z.enum(PHRASE_CODES).describe('other: text that is no phrase, as words of a provider are not.'),
      values: z.array(z.string()).describe('What the phrase says in particular; of other, the text.'),
    })
    .meta({ id: 'Phrase' }),
);
