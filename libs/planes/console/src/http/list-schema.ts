import { z } from 'zod';

/** Schema of a list's answer. */
export function listSchema<Row extends z.ZodType>(row: Row) {
  return z.object({
    data: z.array(row),
    next_cursor: z
      .string()
      .nullable()
      .describe('Ask with it as `cursor` for the next page; null on the last.'),
  });
}
