import { z } from 'zod';

export const moderationResponse = z.looseObject({
  id: z.string().optional(),
  model: z.string().optional(),
  results: z.array(z.looseObject({ flagged: z.boolean().optional() })).optional(),
});
