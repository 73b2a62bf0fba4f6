import { z } from 'zod';
import { checkedApart, object, text } from '../schema/fields.js';

/** Most requests of a batch that comes with them. */
export const MAX_MESSAGE_REQUESTS = 10_000;
/** What a request is known by. */
export const CUSTOM_ID = /^[a-zA-Z0-9_-]{1,64}$/;

/** @see https://docs.anthropic.com/en/api/creating-message-batches */
export const messageBatchRequest = z.looseObject({
  requests: checkedApart(
    z
      .array(z.looseObject({ custom_id: text.regex(CUSTOM_ID), params: object }))
      .min(1)
      .max(MAX_MESSAGE_REQUESTS),
    'must be an array',
  ),
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
