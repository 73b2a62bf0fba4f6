import { z } from 'zod';
import { anyObject, costMember, countMember, textMember, textOrNull } from '../schema/answers.js';

export const openAiUsage = z.looseObject({
  prompt_tokens: countMember,
  completion_tokens: countMember,
  total_tokens: countMember,
  gateway_cost: costMember,
  prompt_tokens_details: z.looseObject({ cached_tokens: countMember }).nullish(),
  completion_tokens_details: z.looseObject({ reasoning_tokens: countMember }).nullish(),
});

/** A message, or what an event adds to one. */
const message = z.looseObject({
  role: textOrNull,
  content: z
    .union([z.string(), z.array(anyObject)])
    .nullish()
    .meta({ description: 'A text; parts from a channel that answers so itself.' }),
  refusal: textOrNull,
  tool_calls: z.array(anyObject).nullish(),
});

const choice = { index: countMember, finish_reason: textOrNull, logprobs: anyObject.nullish() };

/** Specification, section 2.2. @see https://platform.openai.com/docs/api-reference/chat/object */
export const chatCompletion = z.looseObject({
  id: textMember,
  object: z.literal('chat.completion').optional(),
  created: countMember,
  model: textMember,
  choices: z.array(z.looseObject({ ...choice, message: message.optional() })).optional(),
  usage: openAiUsage.nullish(),
});

/** One event of a stream. @see https://platform.openai.com/docs/api-reference/chat/streaming */
export const chatCompletionChunk = z.looseObject({
  id: textMember,
  object: textMember.meta({ description: '`chat.completion.chunk`; empty in some events of Azure.' }),
  created: countMember,
  model: textMember,
  choices: z.array(z.looseObject({ ...choice, delta: message.optional() })).optional(),
  usage: openAiUsage.nullish(),
});

/** An error as OpenAI's SDKs read it, also as an event within a stream. */
export const openAiError = z.looseObject({
  error: z.looseObject({ message: z.string(), type: textOrNull, code: textOrNull, param: textOrNull }),
});

/** A model as clients of OpenAI list it. */
export const openAiModel = z.looseObject({
  id: z.string(),
  object: z.literal('model'),
  created: z.int(),
  owned_by: z.string(),
  kind: textMember,
  price: anyObject.nullish().meta({ description: 'Unit prices in USD as decimal strings.' }),
});

export const openAiModels = z.looseObject({ object: z.literal('list'), data: z.array(openAiModel) });
