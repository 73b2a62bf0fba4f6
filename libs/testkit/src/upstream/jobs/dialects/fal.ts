import { omitUndefined } from '@mg/contract';
import { readText } from '../../json.js';
import type { RefusalReason } from '../job-behaviour.js';
import type { JobAnswer, JobDialect, ReportedStep } from '../job-dialect.js';

const WORDS: Readonly<Record<ReportedStep, string>> = {
  queued: 'IN_QUEUE',
  running: 'IN_PROGRESS',
  succeeded: 'COMPLETED',
  failed: 'COMPLETED',
  expired: 'COMPLETED',
  cancelled: 'CANCELLED',
  strange: 'REQUEUED',
  'no-output': 'COMPLETED',
};

const STATUSES: Readonly<Record<RefusalReason, number>> = {
  'bad-parameter': 422,
  'content-policy': 422,
  'wrong-key': 401,
  'no-funds': 403,
  'model-unknown': 404,
  'rate-limited': 429,
  overloaded: 503,
};

const REQUEST = /^\/[^/]+\/[^/]+\/requests\/([^/]+)(\/status|\/cancel)?$/;

/** fal's queue: the model is the path, everything after is asked at addresses that it reports. */
export const fal: JobDialect = {
  name: 'fal',
  route: ({ method, path }) => {
    const content = /^\/content\/(.+)$/.exec(path)?.[1];
    if (content !== undefined) return { kind: 'content', id: content };
    const [, id, part] = REQUEST.exec(path) ?? [];
    if (id === undefined) return method === 'POST' ? { kind: 'create' } : undefined;
    if (part === '/cancel') return method === 'PUT' ? { kind: 'cancel', id } : undefined;
    return { kind: part === '/status' ? 'poll' : 'result', id };
  },
  readKey: ({ authorization }) => authorization?.replace(/^Key /, '') ?? '',
  readFacts: ({ path, body }) => ({
    model: decodeURIComponent(path.slice(1)),
    prompt: readText(body['prompt']),
    seconds: body['duration'],
  }),
  writeId: (count) => `764cabcf-b745-4b3e-ae38-${String(count).padStart(12, '0')}`,
  describeMade: (job, { base }) => {
    const request = `${base}/${job.model.split('/').slice(0, 2).join('/')}/requests/${job.id}`;
    return {
      status: 200,
      body: {
        status: 'IN_QUEUE',
        request_id: job.id,
        response_url: request,
        status_url: `${request}/status`,
        cancel_url: `${request}/cancel`,
        queue_position: 0,
      },
    };
  },
  describePoll: (job, step) => ({
    status: WORDS[step] === 'COMPLETED' ? 200 : 202,
    body: omitUndefined({
      status: WORDS[step],
      request_id: job.id,
      error: step === 'expired' ? 'The request timed out.' : undefined,
      error_type: step === 'expired' ? 'request_timeout' : undefined,
    }),
  }),
  describeResult: (_job, step, { video }): JobAnswer => {
    if (step === 'failed') {
      return {
        status: 422,
        body: describeDetail('The content was held back by a checker.', 'content_policy_violation'),
      };
    }
    const file = { url: video, content_type: 'video/mp4', file_name: 'output.mp4', file_size: 1_024 };
    return { status: 200, body: step === 'succeeded' ? { video: file, seed: 7 } : { seed: 7 } };
  },
  describeRefusal: (reason, message) => {
    const status = STATUSES[reason];
    if (reason === 'bad-parameter') return { status, body: describeDetail(message, 'literal_error') };
    if (reason === 'content-policy')
      return { status, body: describeDetail(message, 'content_policy_violation') };
    const isPoor = reason === 'no-funds';
    return { status, body: { detail: isPoor ? 'User is locked. Reason: Exhausted balance.' : message } };
  },
};

function describeDetail(msg: string, type: string): unknown {
  return { detail: [{ loc: ['body', 'duration'], msg, type }] };
}
