import { z } from 'zod';
import {
  checkedApart,
  count,
  countFromOne,
  filledText,
  modelName,
  object,
  oneOf,
  text,
  tokenId,
} from '../schema/fields.js';
import { EMBEDDING_TASKS } from './embedding.js';

/** Most inputs of one request. */
export const MAX_INPUTS = 2_048;

const tokens = z.array(tokenId).min(1);

/** @see https://platform.openai.com/docs/api-reference/embeddings/create */
export const embeddingRequest = z.looseObject({
  model: modelName,
  input: checkedApart(
    z.union([
      filledText,
      z.array(filledText).min(1).max(MAX_INPUTS),
      tokens,
      z.array(tokens).min(1).max(MAX_INPUTS),
    ]),
    'must be a string or an array',
  ).meta({ description: 'A text, several, token ids of one, or of several.' }),
  dimensions: countFromOne.nullish(),
  encoding_format: oneOf(['float', 'base64'], 'must be "float" or "base64"').nullish(),
  user: text.nullish(),
});

/** @see https://ai.google.dev/api/embeddings#method:-models.embedcontent */
export const embedContentRequest = z.looseObject({
  content: checkedApart(z.looseObject({ parts: z.array(object).min(1) }), 'must be an object'),
  taskType: oneOf([...EMBEDDING_TASKS, 'TASK_TYPE_UNSPECIFIED'], 'is not a known task').nullish(),
  outputDimensionality: count.nullish(),
  embedContentConfig: object.nullish(),
});

/** @see https://ai.google.dev/api/embeddings#method:-models.batchembedcontents */
export const batchEmbedContentsRequest = z.looseObject({
  requests: checkedApart(z.array(embedContentRequest).min(1).max(MAX_INPUTS), 'must not be empty'),
});
