import { z } from 'zod';
import { anyObject, costMember, countMember, textMember } from '../schema/answers.js';

const item = z.looseObject({ type: textMember, id: z.string().nullish() });

/** @see https://platform.openai.com/docs/api-reference/responses/object */
export const responsesResponse = z.looseObject({
  id: textMember,
  object: z.literal('response').optional(),
  created_at: z.number().optional(),
  status: textMember,
  model: textMember,
  output: z.array(item).optional(),
  error: anyObject.nullish(),
  incomplete_details: anyObject.nullish(),
  usage: z
    .looseObject({
      input_tokens: countMember,
      output_tokens: countMember,
      total_tokens: countMember,
      gateway_cost: costMember,
    })
    .nullish(),
});

/** @see https://platform.openai.com/docs/api-reference/responses/compact */
export const compactedResponse = z.looseObject({
  id: textMember,
  object: z.literal('response.compaction'),
  created_at: z.number(),
  output: z.array(item),
  usage: anyObject.nullish(),
});

/** @see https://platform.openai.com/docs/api-reference/responses/input-items */
export const responseInputItems = z.looseObject({
  object: z.literal('list'),
  data: z.array(item),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  has_more: z.boolean(),
});

export const deletedResponse = z.looseObject({
  id: textMember,
  object: z.literal('response'),
  deleted: z.literal(true),
});

/** @see https://platform.openai.com/docs/api-reference/responses/input-tokens */
export const responseInputTokens = z.looseObject({
  object: z.literal('response.input_tokens'),
  input_tokens: countMember,
});

/** One event of a stream. @see https://platform.openai.com/docs/api-reference/responses-streaming */
export const responseEvent = z.looseObject({
  type: z.string(),
  sequence_number: countMember,
  response: responsesResponse.optional(),
  output_index: countMember,
  item: item.optional(),
});
