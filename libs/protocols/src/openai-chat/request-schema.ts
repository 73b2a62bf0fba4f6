import { z } from 'zod';
import { MOST_CHOICES } from '../canonical/limit-items.js';
import {
  anyInteger,
  checkedApart,
  flag,
  integerFrom,
  list,
  modelName,
  numberFrom,
  object,
  text,
} from '../schema/fields.js';

export const MAX_MESSAGES = 2_048;
const MAX_TOKENS = 10_000_000;
export const ROLES = ['system', 'developer', 'user', 'assistant', 'tool', 'function'] as const;

const part = z.looseObject({ type: z.string() });
const message = z.looseObject({
  role: z.enum(ROLES),
  content: z.union([z.string(), z.array(part)]).nullish(),
});

/**
 * The fields whose type is the same for every upstream. Fields that are not listed pass through unread; `null` means the
 * same as leaving a field out.
 *
 * @see https://platform.openai.com/docs/api-reference/chat/create
 */
export const chatRequest = z.looseObject({
  model: modelName,
  messages: checkedApart(z.array(message).min(1).max(MAX_MESSAGES), 'must be a non-empty array'),
  stream: flag.nullish(),
  stream_options: z.looseObject({ include_usage: flag.optional() }, 'must be an object').nullish(),
  temperature: numberFrom(0, 2).nullish(),
  top_p: numberFrom(0, 1).nullish(),
  n: integerFrom(1, MOST_CHOICES).nullish(),
  best_of: integerFrom(1, MOST_CHOICES).nullish(),
  max_tokens: integerFrom(1, MAX_TOKENS).nullish(),
  max_completion_tokens: integerFrom(1, MAX_TOKENS).nullish(),
  presence_penalty: numberFrom(-2, 2).nullish(),
  frequency_penalty: numberFrom(-2, 2).nullish(),
  seed: anyInteger.nullish(),
  stop: z.union([text, list], 'must be a string or an array').nullish(),
  tools: list.nullish(),
  tool_choice: z.union([text, object], 'must be a string or an object').nullish(),
  response_format: object.nullish(),
  logprobs: flag.nullish(),
  top_logprobs: integerFrom(0, 20).nullish(),
  logit_bias: object.nullish(),
  parallel_tool_calls: flag.nullish(),
  user: text.nullish(),
  metadata: object.nullish(),
  store: flag.nullish(),
});
