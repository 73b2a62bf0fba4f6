import { z } from 'zod';
import { checkedApart, countFromOne, flag, modelName, text } from '../schema/fields.js';

export const MAX_DOCUMENTS = 1_000;

const document = z.union([z.string(), z.looseObject({ text: z.string() })]);

/** @see https://api.jina.ai/redoc */
export const rerankRequest = z.looseObject({
  model: modelName,
  query: text,
  documents: checkedApart(z.array(document).min(1).max(MAX_DOCUMENTS), 'must not be empty'),
  top_n: countFromOne.nullish(),
  top_k: countFromOne.nullish().meta({ description: 'Another name of `top_n`.' }),
  return_documents: flag.nullish(),
});
