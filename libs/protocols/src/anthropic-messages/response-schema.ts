import { z } from 'zod';
import { anyObject, costMember, countMember, textMember, textOrNull } from '../schema/answers.js';

const usage = z.looseObject({
  input_tokens: z.int().nullish(),
  output_tokens: countMember,
  gateway_cost: costMember,
  cache_creation_input_tokens: z.int().nullish(),
  cache_read_input_tokens: z.int().nullish(),
});

const block = z.looseObject({ type: z.string() });

/** @see https://docs.anthropic.com/en/api/messages */
export const messagesResponse = z.looseObject({
  id: textMember,
  type: z.literal('message').optional(),
  role: z.literal('assistant').optional(),
  model: textMember,
  content: z.array(block).optional(),
  stop_reason: textOrNull,
  stop_sequence: textOrNull,
  usage: usage.optional(),
});

/** One event of a stream. @see https://docs.anthropic.com/en/api/messages-streaming */
export const messagesEvent = z.looseObject({
  type: z.string(),
  message: messagesResponse.optional(),
  index: countMember,
  content_block: block.optional(),
  delta: anyObject.optional(),
  usage: usage.optional(),
  error: z.looseObject({ type: z.string(), message: z.string() }).optional(),
});

/** @see https://docs.anthropic.com/en/api/messages-count-tokens */
export const countTokensResponse = z.looseObject({ input_tokens: z.int().min(0) });

/** A model as clients of Anthropic list it. */
export const anthropicModel = z.looseObject({
  type: z.literal('model'),
  id: z.string(),
  display_name: z.string(),
  created_at: z.string(),
});

export const anthropicModels = z.looseObject({
  data: z.array(anthropicModel),
  has_more: z.boolean(),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
});
