import { z } from 'zod';
import { object, text } from '../schema/fields.js';

const MAX_REQUESTS = 10_000;

/** @see https://docs.anthropic.com/en/api/creating-message-batches */
export const messageBatchRequest = z.looseObject({
  requests: z
    .array(
      z.looseObject({
        custom_id: text.regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must have 1 to 64 letters, digits, _ and -'),
        params: object,
      }),
      'must be an array',
    )
    .min(1, 'must not be empty')
    .max(MAX_REQUESTS, `must have at most ${MAX_REQUESTS} members`),
});

const moment = z.string().nullable();

/** @see https://docs.anthropic.com/en/api/retrieving-message-batches */
export const messageBatch = z.looseObject({
  id: z.string(),
  type: z.literal('message_batch'),
  processing_status: z.enum(['in_progress', 'canceling', 'ended']),
  request_counts: z.looseObject({
    processing: z.int(),
    succeeded: z.int(),
    errored: z.int(),
    canceled: z.int(),
    expired: z.int(),
  }),
  created_at: z.string(),
  expires_at: z.string(),
  ended_at: moment,
  cancel_initiated_at: moment,
  archived_at: moment,
  results_url: moment,
});

export const messageBatches = z.looseObject({
  data: z.array(messageBatch),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  has_more: z.boolean(),
});

export const deletedMessageBatch = z.looseObject({
  id: z.string(),
  type: z.literal('message_batch_deleted'),
});
