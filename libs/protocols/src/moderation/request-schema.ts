import { z } from 'zod';
import { checkedApart, modelName } from '../schema/fields.js';

const part = z.union([
  z.string(),
  z.looseObject({ type: z.literal('text'), text: z.string() }),
  z.looseObject({ type: z.literal('image_url') }),
]);

/** @see https://platform.openai.com/docs/api-reference/moderations */
export const moderationRequest = z.looseObject({
  model: modelName.nullish(),
  input: checkedApart(z.union([z.string(), z.array(part).min(1)]), 'must be a text, several, or parts'),
});
