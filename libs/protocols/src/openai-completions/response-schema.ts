import { z } from 'zod';
import { openAiUsage } from '../openai-chat/response-schema.js';
import { anyObject, countMember, textMember, textOrNull } from '../schema/answers.js';

/** A text completion, and one event of its stream. @see https://platform.openai.com/docs/api-reference/completions/object */
export const textCompletion = z.looseObject({
  id: textMember,
  object: z.literal('text_completion').optional(),
  created: countMember,
  model: textMember,
  choices: z
    .array(
      z.looseObject({
        index: countMember,
        text: textMember,
        finish_reason: textOrNull,
        logprobs: anyObject.nullish(),
      }),
    )
    .optional(),
  usage: openAiUsage.nullish(),
});
