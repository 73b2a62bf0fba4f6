import { z } from 'zod';

/** Members of answers. What the specification does not promise to be there may be absent. */

export const textMember = z.string().optional();
export const countMember = z.int().optional();
/** A member that some providers leave out, and others answer as `null`. */
export const textOrNull = z.string().nullish();
export const costMember = textMember.meta({
  description: 'What the call cost in USD, decimal: in the last event of a stream that asked for it.',
});
export const anyObject = z.looseObject({});
