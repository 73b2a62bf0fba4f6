import { z } from 'zod';
import { checkedApart, flag, integerFrom } from '../schema/fields.js';

export const MAX_CONTENTS = 2_048;
const MAX_CANDIDATES = 8;
const MAX_TOKENS = 10_000_000;

const content = z.looseObject({ parts: z.array(z.looseObject({})).nullish() });
const contents = z.union([z.array(content).min(1).max(MAX_CONTENTS), content]);

/** What is read of the configuration, in Google's own spelling. */
const generationConfig = z.looseObject(
  {
    candidateCount: integerFrom(1, MAX_CANDIDATES).nullish(),
    maxOutputTokens: integerFrom(1, MAX_TOKENS).nullish(),
    thinkingConfig: z
      .unknown()
      .optional()
      .meta({
        type: 'object',
        properties: { includeThoughts: { type: 'boolean' } },
        additionalProperties: true,
      }),
  },
  'must be an object',
);

/**
 * Names may be written in snake_case too.
 *
 * @see https://ai.google.dev/api/generate-content
 */
export const generateContentRequest = z.looseObject({
  contents: checkedApart(contents, 'must be a non-empty array'),
  systemInstruction: z.unknown().optional(),
  generationConfig: generationConfig.nullish(),
  stream: flag
    .nullish()
    .meta({ description: 'Whether the answer is streamed; the path or the query may say so too.' }),
});

/** What is counted: `contents`, or a whole request. @see https://ai.google.dev/api/tokens */
export const geminiCountTokensRequest = z.union([
  generateContentRequest,
  z.looseObject({ generateContentRequest }),
]);
