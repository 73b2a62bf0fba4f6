import { SHOWN_PURPOSES } from '@mg/protocols';
import { ANTHROPIC_FILE_PAGE, MESSAGE_BATCH_PAGE, OPENAI_PAGE } from '../edge/page-sizes.js';
import { GOOGLE_BATCH_PARAMETERS } from './google-batch-endpoints.js';
import { GOOGLE_FILE_PARAMETERS } from './google-file-endpoints.js';
import { count, type Endpoint, json, type Parameter, text } from './endpoint.js';

const FILES = '/v1/files';
const UPLOADS = '/v1/uploads';
const BATCHES = '/v1/batches';
const MESSAGE_BATCHES = '/v1/messages/batches';
const FILE_ID: Parameter = { name: 'file_id', in: 'path', required: true, schema: text };
const UPLOAD_ID: Parameter = { name: 'upload_id', in: 'path', required: true, schema: text };
const BATCH_ID: Parameter = { name: 'batch_id', in: 'path', required: true, schema: text };
const PAGE: readonly Parameter[] = [
  { name: 'limit', in: 'query', schema: count(OPENAI_PAGE.most, OPENAI_PAGE.usual) },
  { name: 'after', in: 'query', schema: text },
];

/** Pages of Anthropic's list of files. */
const ANTHROPIC_FILE_PARAMETERS: readonly Parameter[] = [
  ...['after_id', 'before_id', 'page'].map((name): Parameter => ({
    name,
    in: 'query',
    schema: text,
    description: "Of Anthropic's list.",
  })),
  {
    name: 'ids[]',
    in: 'query',
    schema: { type: 'array', items: text, maxItems: 100 },
    description: "Of Anthropic's list.",
  },
  { name: 'scope_id', in: 'query', schema: text, description: "Of Anthropic's list." },
];

/** Files, and the batches that read them. */
export const BATCH_ENDPOINTS: readonly Endpoint[] = [
  {
    method: 'post',
    path: FILES,
    summary: 'Keeps a file for a batch, or one that calls may name; free',
    cost: 'free',
    request: { 'multipart/form-data': ['FileForm', 'AnthropicFileForm'] },
    answers: { 200: json('The file.', ['File', 'AnthropicFile']) },
    failures: ['insufficient_balance'],
  },
  {
    method: 'get',
    path: FILES,
    summary: "The wallet's files, newest first; free",
    cost: 'free',
    parameters: [
      {
        name: 'limit',
        in: 'query',
        schema: count(ANTHROPIC_FILE_PAGE.most, ANTHROPIC_FILE_PAGE.usual),
        description: `At most ${OPENAI_PAGE.most} of OpenAI's list.`,
      },
      { name: 'after', in: 'query', schema: text },
      { name: 'order', in: 'query', schema: { ...text, enum: ['asc', 'desc'], default: 'desc' } },
      {
        name: 'purpose',
        in: 'query',
        schema: text,
        description: `${SHOWN_PURPOSES.join(', ')}.`,
      },
      ...ANTHROPIC_FILE_PARAMETERS,
      ...GOOGLE_FILE_PARAMETERS,
    ],
    answers: { 200: json('A page.', ['Files', 'AnthropicFiles', 'GoogleFiles']) },
  },
  {
    method: 'get',
    path: `${FILES}/{file_id}`,
    summary: 'What is known of a file; free',
    cost: 'free',
    parameters: [FILE_ID],
    answers: { 200: json('The file.', ['File', 'AnthropicFile', 'GoogleFile']) },
    failures: ['not_found', 'forbidden'],
  },
  {
    method: 'delete',
    path: `${FILES}/{file_id}`,
    summary: 'Deletes a file; free',
    cost: 'free',
    parameters: [FILE_ID],
    answers: { 200: json('It is deleted.', ['DeletedFile', 'DeletedAnthropicFile', 'NoGoogleFile']) },
    failures: ['not_found', 'forbidden'],
  },
  {
    method: 'get',
    path: `${FILES}/{file_id}/content`,
    summary: "A file as it was written; free. Not for Anthropic's clients",
    cost: 'free',
    parameters: [FILE_ID],
    answers: { 200: { description: 'JSON Lines.', content: { 'application/octet-stream': undefined } } },
    failures: ['not_found'],
  },
  {
    method: 'post',
    path: UPLOADS,
    summary: 'Begins a file that comes in parts, within an hour; free',
    cost: 'free',
    request: { 'application/json': 'UploadRequest' },
    answers: { 200: json('The upload.', 'Upload') },
    failures: ['insufficient_balance'],
  },
  {
    method: 'post',
    path: `${UPLOADS}/{upload_id}/parts`,
    summary: 'Keeps a part; free',
    cost: 'free',
    parameters: [UPLOAD_ID],
    request: { 'multipart/form-data': 'UploadPartForm' },
    answers: { 200: json('The part.', 'UploadPart') },
    failures: ['insufficient_balance', 'not_found', 'conflict'],
  },
  {
    method: 'post',
    path: `${UPLOADS}/{upload_id}/complete`,
    summary: 'Makes a file of parts; free',
    cost: 'free',
    parameters: [UPLOAD_ID],
    request: { 'application/json': 'UploadCompletion' },
    answers: { 200: json('The upload, with its file.', 'Upload') },
    failures: ['insufficient_balance', 'not_found', 'conflict'],
  },
  {
    method: 'post',
    path: `${UPLOADS}/{upload_id}/cancel`,
    summary: 'Forgets the parts that have come; free',
    cost: 'free',
    parameters: [UPLOAD_ID],
    answers: { 200: json('The upload.', 'Upload') },
    failures: ['not_found', 'conflict'],
  },
  {
    method: 'post',
    path: BATCHES,
    summary: 'Calls of a file, made within a day at the batch share of their price',
    cost: 'free',
    request: { 'application/json': 'BatchRequest' },
    answers: { 200: json('The batch.', 'Batch') },
    failures: ['insufficient_balance', 'loop_detected'],
  },
  {
    method: 'get',
    path: BATCHES,
    summary: "The wallet's batches of the client's protocol, newest first; free",
    cost: 'free',
    parameters: [...PAGE, ...GOOGLE_BATCH_PARAMETERS],
    answers: { 200: json('A page.', ['Batches', 'GoogleBatches']) },
  },
  {
    method: 'get',
    path: `${BATCHES}/{batch_id}`,
    summary: "How far a batch of the client's protocol is; free",
    cost: 'free',
    parameters: [BATCH_ID],
    answers: { 200: json('The batch.', ['Batch', 'GoogleBatch']) },
    failures: ['not_found'],
  },
  {
    method: 'post',
    path: `${BATCHES}/{batch_id}/cancel`,
    summary: 'Sends no further line of a batch; free',
    cost: 'free',
    parameters: [BATCH_ID],
    answers: { 200: json('The batch.', 'Batch') },
    failures: ['not_found', 'conflict'],
  },
  {
    method: 'post',
    path: MESSAGE_BATCHES,
    summary: "Calls of Anthropic's protocol, made within a day at the batch share of their price",
    cost: 'free',
    request: { 'application/json': 'MessageBatchRequest' },
    answers: { 200: json('The batch.', 'MessageBatch') },
    failures: ['insufficient_balance', 'loop_detected'],
  },
  {
    method: 'get',
    path: MESSAGE_BATCHES,
    summary: "The wallet's message batches, newest first; free",
    cost: 'free',
    parameters: [
      { name: 'limit', in: 'query', schema: count(MESSAGE_BATCH_PAGE.most, MESSAGE_BATCH_PAGE.usual) },
      { name: 'after_id', in: 'query', schema: text },
      { name: 'before_id', in: 'query', schema: text },
    ],
    answers: { 200: json('A page.', 'MessageBatches') },
  },
  {
    method: 'get',
    path: `${MESSAGE_BATCHES}/{batch_id}`,
    summary: 'How far a message batch is; free',
    cost: 'free',
    parameters: [BATCH_ID],
    answers: { 200: json('The batch.', 'MessageBatch') },
    failures: ['not_found'],
  },
  {
    method: 'delete',
    path: `${MESSAGE_BATCHES}/{batch_id}`,
    summary: 'Removes a message batch that has ended, with its results; free',
    cost: 'free',
    parameters: [BATCH_ID],
    answers: { 200: json('It is removed.', 'DeletedMessageBatch') },
    failures: ['not_found', 'conflict'],
  },
  {
    method: 'post',
    path: `${MESSAGE_BATCHES}/{batch_id}/cancel`,
    summary: 'Sends no further request of a message batch; free',
    cost: 'free',
    parameters: [BATCH_ID],
    answers: { 200: json('The batch.', 'MessageBatch') },
    failures: ['not_found', 'conflict'],
  },
  {
    method: 'get',
    path: `${MESSAGE_BATCHES}/{batch_id}/results`,
    summary: 'Results of a message batch that has ended; free',
    cost: 'free',
    parameters: [BATCH_ID],
    answers: { 200: { description: 'JSON Lines.', content: { 'application/x-jsonl': undefined } } },
    failures: ['not_found'],
  },
];
