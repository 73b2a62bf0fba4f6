import { z } from 'zod';
import { anyObject, textMember } from '../schema/answers.js';
import { checkedApart, object, text, textUpTo } from '../schema/fields.js';

/** Most requests of a batch that comes with them. */
export const MAX_GOOGLE_REQUESTS = 10_000;
const MAX_NAME = 512;

const requests = z.looseObject(
  {
    requests: checkedApart(
      z
        .array(z.looseObject({ request: object, metadata: object.nullish() }))
        .min(1)
        .max(MAX_GOOGLE_REQUESTS),
      'must be an array',
    ),
  },
  'must be an object',
);

/**
 * Bodies of `:batchGenerateContent` and `:asyncBatchEmbedContent`.
 *
 * @see https://ai.google.dev/api/batch-api
 */
export const googleBatchRequest = z.looseObject({
  batch: z.looseObject(
    {
      displayName: textUpTo(MAX_NAME, `must have at most ${MAX_NAME} characters`).nullish(),
      inputConfig: z.looseObject(
        {
          requests: requests.nullish(),
          fileName: text
            .regex(/^files\/[\w-]{1,128}$/, 'must be the name of a file, as files/{id}')
            .nullish()
            .meta({
              description: 'A file of lines `{"key": ..., "request": {...}}`, in the place of requests.',
            }),
        },
        'must be an object',
      ),
    },
    'must be an object',
  ),
});

const count = text.meta({ pattern: String.raw`^\d+$`, description: 'An integer, as a text.' });
const status = z.looseObject({ code: z.int(), message: z.string(), details: z.array(anyObject).optional() });

/**
 * What stands twice in a batch that has ended, in its metadata and in its response: its results, or the file that they are in,
 * where its requests came in a file.
 */
const results = z.looseObject({
  responsesFile: textMember,
  inlinedResponses: z
    .looseObject({
      inlinedResponses: z.array(
        z.looseObject({
          response: anyObject.optional(),
          error: status.optional(),
          metadata: anyObject.optional(),
        }),
      ),
    })
    .optional(),
});

/** @see https://ai.google.dev/api/batch-api#GenerateContentBatch */
export const googleBatch = z.looseObject({
  name: z.string(),
  metadata: z.looseObject({
    '@type': z.string(),
    name: z.string(),
    model: z.string(),
    displayName: textMember,
    state: z.enum([
      'BATCH_STATE_PENDING',
      'BATCH_STATE_RUNNING',
      'BATCH_STATE_SUCCEEDED',
      'BATCH_STATE_FAILED',
      'BATCH_STATE_CANCELLED',
      'BATCH_STATE_EXPIRED',
    ]),
    createTime: z.string(),
    updateTime: z.string(),
    endTime: textMember,
    batchStats: z.looseObject({
      requestCount: count,
      pendingRequestCount: count,
      successfulRequestCount: count,
      failedRequestCount: count,
    }),
    output: results.optional(),
  }),
  done: z.boolean().optional(),
  error: status.optional(),
  response: z.looseObject({ '@type': z.string() }).optional(),
});

export const googleBatches = z.looseObject({
  operations: z.array(googleBatch),
  nextPageToken: textMember,
});

/** Answer of a method that has nothing to say. */
export const noContent = z.strictObject({});
