import { z } from 'zod';

export const rerankResponse = z.looseObject({
  model: z.string().optional(),
  results: z
    .array(
      z.looseObject({
        index: z.int().optional(),
        relevance_score: z.number().optional(),
        document: z.looseObject({ text: z.string().optional() }).optional(),
      }),
    )
    .optional(),
  usage: z.looseObject({ total_tokens: z.int().optional() }).optional(),
});
