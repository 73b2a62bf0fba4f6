import { z } from 'zod';

const vector = z.union([z.array(z.number()), z.string()]).describe('Numbers, or base64 of 32-bit floats.');

export const embeddingResponse = z.looseObject({
  object: z.literal('list').optional(),
  data: z
    .array(
      z.looseObject({
        object: z.literal('embedding').optional(),
        index: z.int().optional(),
        embedding: vector.optional(),
      }),
    )
    .optional(),
  model: z.string().optional(),
  usage: z.looseObject({ prompt_tokens: z.int().optional(), total_tokens: z.int().optional() }).optional(),
});

const values = z.looseObject({ values: z.array(z.number()).optional() });

export const embedContentResponse = z.looseObject({ embedding: values.optional() });
export const batchEmbedContentsResponse = z.looseObject({ embeddings: z.array(values).optional() });
