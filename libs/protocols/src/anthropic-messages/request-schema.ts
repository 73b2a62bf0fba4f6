import { z } from 'zod';
import {
  checkedApart,
  checkedApartIfGiven,
  count,
  flag,
  integerFrom,
  list,
  modelName,
  numberFrom,
  object,
  text,
} from '../schema/fields.js';

export const MAX_MESSAGES = 100_000;
const MAX_TOKENS = 10_000_000;
export const ROLES = ['user', 'assistant', 'system'] as const;

const block = z.looseObject({ type: z.string() });
const content = z.union([z.string(), z.array(block)]);
const message = z.looseObject({ role: z.enum(ROLES), content });

/** Fields whose type is the same for every upstream; others pass unread. */
const fields = {
  model: modelName,
  messages: checkedApart(z.array(message).min(1).max(MAX_MESSAGES), 'must be a non-empty array'),
  system: checkedApartIfGiven(content),
  stream: flag.nullish(),
  temperature: numberFrom(0, 1).nullish(),
  top_p: numberFrom(0, 1).nullish(),
  top_k: count.nullish(),
  stop_sequences: list.nullish(),
  tools: checkedApartIfGiven(z.array(object)),
  tool_choice: object.nullish(),
  thinking: object.nullish(),
  metadata: object.nullish(),
  output_config: object.nullish(),
  service_tier: text.nullish(),
};

/** A count of tokens produces none, so it wants no cap. @see https://docs.anthropic.com/en/api/messages-count-tokens */
export const countTokensRequest = z.looseObject({
  ...fields,
  max_tokens: integerFrom(0, MAX_TOKENS).nullish(),
});

/** @see https://docs.anthropic.com/en/api/messages */
export const messagesRequest = z.looseObject({
  ...fields,
  max_tokens: integerFrom(
    0,
    MAX_TOKENS,
    `must be an integer from 0 to ${MAX_TOKENS}: this protocol requires it`,
  ),
});
