import { GOOGLE_BATCH_PAGE } from '../edge/page-sizes.js';
import { count, type Endpoint, json, MODEL_IN_PATH, type Parameter, text } from './endpoint.js';

const BATCH_ID: Parameter = { name: 'batch_id', in: 'path', required: true, schema: text };
/** A larger page is cut to what a page holds at most. */
const { usual } = GOOGLE_BATCH_PAGE;
const MAX_PAGE = 999_999_999;

export const GOOGLE_BATCH_PARAMETERS: readonly Parameter[] = [
  { name: 'pageSize', in: 'query', schema: count(MAX_PAGE, usual), description: "Of Google's list." },
  { name: 'pageToken', in: 'query', schema: text, description: "Of Google's list." },
];

/** Google's batches. Under `/v1` the list and one batch stand at the paths of OpenAI's. */
export const GOOGLE_BATCH_ENDPOINTS: readonly Endpoint[] = [
  ...(['/v1beta', '/v1'] as const).flatMap((version) => [
    order(`${version}/models/{model}:batchGenerateContent`, 'generateContent'),
    order(`${version}/models/{model}:asyncBatchEmbedContent`, 'embedContent'),
    change('post', `${version}/batches/{batch_id}:cancel`, 'Sends no further request of a batch; free'),
    change(
      'delete',
      `${version}/batches/{batch_id}`,
      'Removes a batch that has ended, with its results; free',
    ),
  ]),
  {
    method: 'get',
    path: '/v1beta/batches',
    summary: "The wallet's batches of Google's protocol, newest first, without their results; free",
    cost: 'free',
    parameters: GOOGLE_BATCH_PARAMETERS,
    answers: { 200: json('A page.', 'GoogleBatches') },
  },
  {
    method: 'get',
    path: '/v1beta/batches/{batch_id}',
    summary: 'How far a batch is, and its results once it has ended; free',
    cost: 'free',
    parameters: [BATCH_ID],
    answers: { 200: json('The batch.', 'GoogleBatch') },
    failures: ['not_found'],
  },
];

function order(path: string, method: string): Endpoint {
  return {
    method: 'post',
    path,
    summary: `Calls of Google's ${method}, made within a day at the batch share of their price`,
    cost: 'free',
    parameters: [MODEL_IN_PATH],
    request: { 'application/json': 'GoogleBatchRequest' },
    answers: { 200: json('The batch.', 'GoogleBatch') },
    failures: ['insufficient_balance', 'loop_detected', 'forbidden', 'model_not_allowed', 'model_not_found'],
  };
}

function change(method: 'post' | 'delete', path: string, summary: string): Endpoint {
  return {
    method,
    path,
    summary,
    cost: 'free',
    parameters: [BATCH_ID],
    answers: { 200: json('Done.', 'NoContent') },
    failures: ['not_found', 'conflict'],
  };
}
