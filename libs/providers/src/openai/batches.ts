import { isObject } from '@mg/protocols';
import type { BatchProgress, BatchSurface } from '../batch-surface.js';
import { onOneLine } from '../on-one-line.js';
import { textMember } from '../text-member.js';

const ENDPOINTS: ReadonlySet<string> = new Set(['/chat/completions', '/responses', '/embeddings']);
/** Version in the paths that requests of a batch name. */
const VERSION_PATH = '/v1';
/** Name of our batches in their metadata. */
const NAME = 'gateway_batch';
/** Nothing of ours stays there for longer. */
const KEPT_SECONDS = 3 * 24 * 60 * 60;
const PAGE = 100;
const MS_PER_SECOND = 1_000;
const LIMITED = 429;
const FAILED = 500;
const JSON_TYPE = { 'content-type': 'application/json' };

/**
 * OpenAI's batches: a file of requests for one model, a batch of it, files of results.
 *
 * @see https://platform.openai.com/docs/api-reference/batch
 */
export const batches: BatchSurface = {
  takes: (endpoint) => ENDPOINTS.has(endpoint),
  authorize: (apiKey) => ({ authorization: `Bearer ${apiKey}` }),
  writeRequest(name, body, endpoint) {
    const url = VERSION_PATH + endpoint;
    const head = JSON.stringify({ custom_id: name, method: 'POST', url }).slice(0, -1);
    return Buffer.concat([Buffer.from(`${head},"body":`), onOneLine(body), Buffer.from('}\n')]);
  },
  upload: {
    request(id, requests) {
      const boundary = `gateway-${id}`;
      return {
        method: 'POST',
        path: '/files',
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
        body: writeForm(boundary, `gateway-${id}.jsonl`, requests),
      };
    },
    readId: (answer) => textMember(answer, 'id'),
  },
  create({ id, endpoint }, input) {
    if (input.kind !== 'file') throw new TypeError('A batch is made of a file.');
    const order = {
      input_file_id: input.fileId,
      endpoint: VERSION_PATH + endpoint,
      completion_window: '24h',
      metadata: { [NAME]: id },
      output_expires_after: { anchor: 'created_at', seconds: KEPT_SECONDS },
    };
    return {
      method: 'POST',
      path: '/batches',
      headers: JSON_TYPE,
      body: [Buffer.from(JSON.stringify(order))],
    };
  },
  retrieve: (id) => ({ method: 'GET', path: `/batches/${encodeURIComponent(id)}` }),
  cancel: (id) => ({ method: 'POST', path: `/batches/${encodeURIComponent(id)}/cancel` }),
  list(after) {
    const from = after === undefined ? '' : `&after=${encodeURIComponent(after)}`;
    return { method: 'GET', path: `/batches?limit=${PAGE}${from}` };
  },
  readList({ data, has_more }) {
    if (!Array.isArray(data)) return undefined;
    const listed = data.filter(isObject);
    return { batches: listed, next: has_more === true ? textMember(listed.at(-1), 'id') : undefined };
  },
  readId: (batch) => textMember(batch, 'id'),
  readCreatedAt: ({ created_at: at }) => (typeof at === 'number' ? at * MS_PER_SECOND : undefined),
  isOrdered: ({ metadata }, { id }) => isObject(metadata) && metadata[NAME] === id,
  readProgress(batch): BatchProgress | undefined {
    const status = textMember(batch, 'status');
    switch (status) {
      case undefined:
        return undefined;
      case 'failed':
        return { kind: 'failed' };
      case 'completed':
      case 'expired':
      case 'cancelled': {
        const files = [textMember(batch, 'output_file_id'), textMember(batch, 'error_file_id')];
        const results = files
          .filter((id) => id !== undefined)
          .map((id) => ({ method: 'GET', path: `/files/${encodeURIComponent(id)}/content` }) as const);
        return { kind: 'ended', outcome: status, results, namesAll: status === 'completed' };
      }
      default:
        return { kind: 'running', isCancellable: true };
    }
  },
  readResult({ custom_id: name, response }) {
    const { status_code: status, body } = isObject(response) ? response : {};
    const isAnswered = typeof status === 'number' && status < FAILED && status !== LIMITED;
    return isAnswered && isObject(body) ? { name, answer: { status, body } } : { name };
  },
};

function writeForm(boundary: string, filename: string, requests: readonly Buffer[]): readonly Buffer[] {
  const field = (name: string, value: string) =>
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const head =
    field('purpose', 'batch') +
    field('expires_after[anchor]', 'created_at') +
    field('expires_after[seconds]', String(KEPT_SECONDS)) +
    `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${filename}"\r\n` +
    'content-type: application/jsonl\r\n\r\n';
  return [Buffer.from(head), ...requests, Buffer.from(`\r\n--${boundary}--\r\n`)];
}
