import { isObject, type JsonObject } from '@mg/protocols';
import type { BatchProgress, BatchSurface } from '../batch-surface.js';
import { onOneLine } from '../on-one-line.js';
import { textMember } from '../text-member.js';

/** Methods of a model whose requests are batched, and the method that makes a batch of them. */
const METHODS = {
  generateContent: 'batchGenerateContent',
  embedContent: 'asyncBatchEmbedContent',
} as const;
const ENDPOINT = /^(\/models\/[^/:]+):(generateContent|embedContent)$/;
const FILES = '/upload/v1beta/files';
const UPLOAD_URL = 'x-goog-upload-url';
const FILE_TYPE = 'application/jsonl';
const JSON_TYPE = { 'content-type': 'application/json' };
const BATCH_NAME = /^batches\/([\w-]+)$/;
const FILE_NAME = /^files\/[\w-]+$/;
/** Batches of others may be listed with all of their answers. */
const PAGE = 20;
const ANSWERED = 200;
/** Of google.rpc: what a request asks is wrong. Any other code says that it was not carried out. */
const INVALID_ARGUMENT = 3;
const REFUSED = 400;

/** Ends of a batch; in any other state it goes on. The SDKs know them as those of jobs. */
const OUTCOMES = {
  SUCCEEDED: 'completed',
  PARTIALLY_SUCCEEDED: 'completed',
  CANCELLED: 'cancelled',
  EXPIRED: 'expired',
  FAILED: 'failed',
} as const;
const STATE = /^(?:BATCH|JOB)_STATE_(\w+)$/;

/**
 * Batches of Google's Gemini API: a file of requests for one model, a batch of it, a file of results. What it makes of requests
 * that stand in the body that creates a batch comes as one document, so they are uploaded. Google deletes files after 48 hours.
 *
 * @see https://ai.google.dev/gemini-api/docs/batch-api
 */
export const batches: BatchSurface = {
  takes: (endpoint) => ENDPOINT.test(endpoint),
  authorize: (apiKey) => ({ 'x-goog-api-key': apiKey }),
  writeRequest: (name, body) =>
    Buffer.concat([
      Buffer.from(`{"key":${JSON.stringify(name)},"request":`),
      onOneLine(body),
      Buffer.from('}\n'),
    ]),
  upload: {
    announce: (id, bytes) => ({
      method: 'POST',
      path: FILES,
      isBesideVersion: true,
      headers: {
        ...JSON_TYPE,
        'x-goog-upload-protocol': 'resumable',
        'x-goog-upload-command': 'start',
        'x-goog-upload-header-content-length': String(bytes),
        'x-goog-upload-header-content-type': FILE_TYPE,
      },
      body: [Buffer.from(JSON.stringify({ file: { displayName: `gateway-${id}` } }))],
    }),
    request(_id, requests, { [UPLOAD_URL]: url }) {
      const headers = {
        'content-type': FILE_TYPE,
        'x-goog-upload-offset': '0',
        'x-goog-upload-command': 'upload, finalize',
      };
      const place = typeof url === 'string' ? { path: FILES, url } : { path: FILES, isBesideVersion: true };
      return { ...place, method: 'POST', headers, body: requests };
    },
    readId: ({ file }) => (isObject(file) ? textMember(file, 'name') : undefined),
  },
  create({ id, endpoint }, input) {
    if (input.kind !== 'file') throw new TypeError('A batch is made of a file.');
    const batch = { displayName: id, inputConfig: { fileName: input.fileId } };
    const [, model = '', method = ''] = ENDPOINT.exec(endpoint) ?? [];
    const path = `${model}:${METHODS[method as keyof typeof METHODS]}`;
    return { method: 'POST', path, headers: JSON_TYPE, body: [Buffer.from(JSON.stringify({ batch }))] };
  },
  retrieve: (id) => ({ method: 'GET', path: `/batches/${encodeURIComponent(id)}` }),
  cancel: (id) => ({
    method: 'POST',
    path: `/batches/${encodeURIComponent(id)}:cancel`,
    headers: JSON_TYPE,
    body: [Buffer.from('{}')],
  }),
  list(after) {
    const from = after === undefined ? '' : `&pageToken=${encodeURIComponent(after)}`;
    return { method: 'GET', path: `/batches?pageSize=${PAGE}${from}` };
  },
  readList({ operations, nextPageToken, ...rest }) {
    // A list without batches is an empty object.
    if (operations === undefined && Object.keys(rest).length > 0) return undefined;
    const listed = Array.isArray(operations) ? operations.filter(isObject) : [];
    return { batches: listed, next: textMember({ nextPageToken }, 'nextPageToken') || undefined };
  },
  readId: (batch) => BATCH_NAME.exec(textMember(batch, 'name') ?? '')?.[1],
  readCreatedAt(batch) {
    const at = Date.parse(textMember(metadataOf(batch), 'createTime') ?? '');
    return Number.isNaN(at) ? undefined : at;
  },
  isOrdered: (batch, { id }) => textMember(metadataOf(batch), 'displayName') === id,
  readProgress,
  readResult({ key: name, response, error, status }) {
    if (isObject(response)) return { name, answer: { status: ANSWERED, body: response } };
    const fault = isObject(error) ? error : status;
    if (!isObject(fault) || fault.code !== INVALID_ARGUMENT) return { name };
    const body = { error: { code: REFUSED, message: fault.message, status: 'INVALID_ARGUMENT' } };
    return { name, answer: { status: REFUSED, body } };
  },
};

function metadataOf({ metadata }: JsonObject): JsonObject | undefined {
  return isObject(metadata) ? metadata : undefined;
}

function readProgress(batch: JsonObject): BatchProgress | undefined {
  const metadata = metadataOf(batch);
  const state = STATE.exec(textMember(metadata, 'state') ?? '')?.[1];
  if (state === undefined) return undefined;
  const answers = countAnswers(metadata);
  if (!Object.hasOwn(OUTCOMES, state)) {
    // Nobody says whether a batch that is cancelled gives away what it has made.
    return { kind: 'running', isCancellable: state === 'PENDING' || answers === 0 };
  }
  const outcome = OUTCOMES[state as keyof typeof OUTCOMES];
  if (outcome === 'failed' && !answers) return { kind: 'failed' };
  const file = findResponsesFile(batch);
  const results =
    file === undefined
      ? []
      : [
          {
            method: 'GET',
            path: `/download/v1beta/${file}:download?alt=media`,
            isBesideVersion: true,
          } as const,
        ];
  // Of a batch without any answer, nothing was carried out; otherwise what is not told of may have been.
  return { kind: 'ended', outcome, results, namesAll: outcome === 'completed' || answers !== 0 };
}

function findResponsesFile(batch: JsonObject): string | undefined {
  const output = metadataOf(batch)?.output;
  const places = [output, batch.response].filter(isObject);
  const names = places.map((place) => textMember(place, 'responsesFile'));
  return names.find((name) => name !== undefined && FILE_NAME.test(name));
}

/** How many requests have an answer; `undefined` where it is not said. Google leaves out counts that are zero. */
function countAnswers(metadata: JsonObject | undefined): number | undefined {
  const stats = metadata?.batchStats;
  if (!isObject(stats)) return undefined;
  return Number(stats.successfulRequestCount ?? 0);
}
