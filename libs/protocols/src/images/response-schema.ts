import { z } from 'zod';

const image = {
  url: z.string().optional(),
  b64_json: z.string().optional(),
};

/** Specification, section 2.6. */
export const imageResponse = z.looseObject({
  created: z.int().optional().describe('Unix timestamp.'),
  data: z.array(z.looseObject({ ...image, revised_prompt: z.string().optional() })).optional(),
  usage: z.looseObject({}).optional(),
});

export const imageEvent = z.looseObject({
  type: z.string().optional(),
  ...image,
  created_at: z.int().optional(),
  usage: z.looseObject({}).optional(),
});
