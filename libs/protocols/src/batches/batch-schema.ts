import { z } from 'zod';
import { filledText, oneOf, pairsUpTo, textUpTo } from '../schema/fields.js';
import { expiresAfter } from './file-schema.js';

/** Endpoints whose calls a batch may hold: what takes JSON and answers JSON. */
export const BATCH_ENDPOINTS = [
  '/v1/chat/completions',
  '/v1/responses',
  '/v1/embeddings',
  '/v1/completions',
  '/v1/moderations',
  '/v1/images/generations',
  '/v1/images/edits',
  '/v1/rerank',
] as const;

const MAX_PAIRS = 16;
const MAX_NAME = 64;
const MAX_VALUE = 512;
const metadata = pairsUpTo(
  MAX_PAIRS,
  z.record(
    textUpTo(MAX_NAME, `must have names of at most ${MAX_NAME} characters`),
    textUpTo(MAX_VALUE, `must hold strings of at most ${MAX_VALUE} characters`, 'must hold strings'),
    'must be an object',
  ),
  `must have at most ${MAX_PAIRS} members`,
);

/** @see https://platform.openai.com/docs/api-reference/batch/create */
export const batchRequest = z.looseObject({
  input_file_id: filledText,
  endpoint: oneOf(BATCH_ENDPOINTS),
  completion_window: oneOf(['24h']),
  metadata: metadata.nullish(),
  output_expires_after: expiresAfter.nullish(),
});

const moment = z.int().nullable();

/** @see https://platform.openai.com/docs/api-reference/batch/object */
export const batch = z.looseObject({
  id: z.string(),
  object: z.literal('batch'),
  endpoint: z.string(),
  errors: z
    .looseObject({
      object: z.literal('list'),
      data: z.array(
        z.looseObject({
          code: z.string(),
          message: z.string(),
          line: z.int().nullable(),
          param: z.string().nullable(),
        }),
      ),
    })
    .nullable(),
  input_file_id: z.string(),
  completion_window: z.string(),
  status: z.enum([
    'validating',
    'failed',
    'in_progress',
    'finalizing',
    'completed',
    'expired',
    'cancelling',
    'cancelled',
  ]),
  output_file_id: z.string().nullable(),
  error_file_id: z.string().nullable(),
  created_at: z.int(),
  in_progress_at: moment,
  expires_at: moment,
  finalizing_at: moment,
  completed_at: moment,
  failed_at: moment,
  expired_at: moment,
  cancelling_at: moment,
  cancelled_at: moment,
  request_counts: z.looseObject({ total: z.int(), completed: z.int(), failed: z.int() }),
  metadata: z.record(z.string(), z.string()).nullable(),
});

export const batches = z.looseObject({
  object: z.literal('list'),
  data: z.array(batch),
  first_id: z.string().nullable(),
  last_id: z.string().nullable(),
  has_more: z.boolean(),
});
