import { z } from 'zod';
import { anyObject, costMember, countMember, textMember } from '../schema/answers.js';

const content = z.looseObject({ role: textMember, parts: z.array(anyObject).optional() });

/** A whole answer, and one event of a stream. @see https://ai.google.dev/api/generate-content#generatecontentresponse */
export const generateContentResponse = z.looseObject({
  candidates: z
    .array(z.looseObject({ index: countMember, content: content.optional(), finishReason: textMember }))
    .optional(),
  promptFeedback: anyObject.optional(),
  usageMetadata: z
    .looseObject({
      promptTokenCount: countMember,
      candidatesTokenCount: countMember,
      totalTokenCount: countMember,
      gateway_cost: costMember,
    })
    .optional(),
  modelVersion: textMember,
});

/** @see https://ai.google.dev/api/tokens */
export const geminiCountTokensResponse = z.looseObject({ totalTokens: z.int().min(0) });

/** A model as clients of Google list it. */
export const geminiModel = z.looseObject({
  name: z.string(),
  displayName: z.string(),
  supportedGenerationMethods: z.array(z.string()),
  outputTokenLimit: countMember,
});

export const geminiModels = z.looseObject({ models: z.array(geminiModel) });

/** An error as Google's SDKs read it, also as an event within a stream. */
export const geminiError = z.looseObject({
  error: z.looseObject({ code: z.int(), message: z.string(), status: textMember }),
});
