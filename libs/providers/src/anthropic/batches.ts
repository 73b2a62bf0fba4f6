import { isObject, type JsonObject } from '@mg/protocols';
import type { BatchProgress, BatchRequest, BatchSurface } from '../batch-surface.js';
import { BETA_HEADER } from '../claude-betas.js';
import { textMember } from '../text-member.js';
import { VERSION, VERSION_HEADER } from './version.js';

const ENDPOINT = '/messages';
const BATCHES = '/messages/batches';
const PAGE = 100;
const ANSWERED = 200;
const COMMA = Buffer.from(',');
/**
 * Errors that are about the request itself, with their status. Those of our key, of a limit or of the provider say that it was
 * not carried out.
 */
const STATUSES: Readonly<Record<string, number>> = { invalid_request_error: 400, request_too_large: 413 };

/**
 * Anthropic's message batches: requests in the body that creates one, results as lines at its end. There is no name and no
 * metadata: a batch whose creation was not heard of is told by when it was made and by its number of requests, and for certain
 * by the `custom_id`s of its results.
 *
 * @see https://platform.claude.com/docs/en/api/messages/batches
 */
export const batches: BatchSurface = {
  takes: (endpoint) => endpoint === ENDPOINT,
  authorize: (apiKey) => ({ 'x-api-key': apiKey, [VERSION_HEADER]: VERSION }),
  writeRequest: (name, body) =>
    Buffer.concat([Buffer.from(`{"custom_id":${JSON.stringify(name)},"params":`), body, Buffer.from('}')]),
  create({ headers }, input) {
    if (input.kind !== 'requests') throw new TypeError('A message batch is made of requests.');
    return {
      method: 'POST',
      path: BATCHES,
      headers: { ...pickOwn(headers), 'content-type': 'application/json' },
      body: writeBody(input.requests),
    };
  },
  retrieve: (id) => ({ method: 'GET', path: addressOf(id) }),
  cancel: (id) => ({ method: 'POST', path: `${addressOf(id)}/cancel` }),
  list(after) {
    const from = after === undefined ? '' : `&after_id=${encodeURIComponent(after)}`;
    return { method: 'GET', path: `${BATCHES}?limit=${PAGE}${from}` };
  },
  readList({ data, has_more, last_id }) {
    if (!Array.isArray(data)) return undefined;
    const isMore = has_more === true && typeof last_id === 'string';
    return { batches: data.filter(isObject), next: isMore ? last_id : undefined };
  },
  readId: (batch) => textMember(batch, 'id'),
  readCreatedAt(batch) {
    const at = Date.parse(textMember(batch, 'created_at') ?? '');
    return Number.isNaN(at) ? undefined : at;
  },
  isOrdered: (batch, { count }) => (countRequests(batch) === count ? undefined : false),
  readProgress(batch): BatchProgress | undefined {
    const status = textMember(batch, 'processing_status');
    const id = textMember(batch, 'id');
    if (status === undefined || id === undefined) return undefined;
    if (status !== 'ended') return { kind: 'running', isCancellable: true };
    return {
      kind: 'ended',
      outcome: readOutcome(batch),
      results: [askForResults(id, batch)],
      namesAll: true,
    };
  },
  readResult({ custom_id: name, result }) {
    const { type, message, error } = isObject(result) ? result : {};
    if (type === 'succeeded' && isObject(message)) {
      return { name, answer: { status: ANSWERED, body: message } };
    }
    const fault = isObject(error) && isObject(error.error) ? textMember(error.error, 'type') : undefined;
    const status = type === 'errored' ? STATUSES[fault ?? ''] : undefined;
    return status !== undefined && isObject(error) ? { name, answer: { status, body: error } } : { name };
  },
};

function addressOf(id: string): string {
  return `${BATCHES}/${encodeURIComponent(id)}`;
}

/**
 * The path of results is said not to be counted on, so `results_url` is. Where it is the usual one, the channel's address is
 * asked, which may be that of a proxy.
 */
function askForResults(id: string, batch: JsonObject): BatchRequest {
  const request = { method: 'GET', path: `${addressOf(id)}/results` } as const;
  const url = textMember(batch, 'results_url');
  return url === undefined || url.endsWith(request.path) ? request : { ...request, url };
}

/** Headers that a call with the caller's version and betas would have had. */
function pickOwn(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => name === BETA_HEADER || name === VERSION_HEADER),
  );
}

function writeBody(requests: readonly Buffer[]): readonly Buffer[] {
  const list = requests.flatMap((request, at) => (at === 0 ? [request] : [COMMA, request]));
  return [Buffer.from('{"requests":['), ...list, Buffer.from(']}')];
}

/** All requests of a batch: each is among one of its counts at any time. */
function countRequests({ request_counts: counts }: JsonObject): number | undefined {
  if (!isObject(counts)) return undefined;
  return Object.values(counts).reduce<number>(
    (sum, value) => sum + (typeof value === 'number' ? value : 0),
    0,
  );
}

function readOutcome({ request_counts: counts, cancel_initiated_at: cancelled }: JsonObject) {
  if (typeof cancelled === 'string') return 'cancelled';
  const expired = isObject(counts) ? counts.expired : 0;
  return typeof expired === 'number' && expired > 0 ? 'expired' : 'completed';
}
