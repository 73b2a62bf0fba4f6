import { z } from 'zod';

const usage = z.looseObject({ type: z.string().optional() });

/** Plain texts of other formats are not JSON. */
export const transcriptionResponse = z.looseObject({ text: z.string().optional(), usage: usage.optional() });

export const transcriptionEvent = z.looseObject({
  type: z.string().optional(),
  delta: z.string().optional(),
  text: z.string().optional(),
  usage: usage.optional(),
});

export const speechEvent = z.looseObject({ type: z.string().optional(), audio: z.string().optional() });
