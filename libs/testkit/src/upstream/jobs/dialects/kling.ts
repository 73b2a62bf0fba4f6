import { omitUndefined } from '@mg/contract';
import { readBearer } from '../../dialects/read-bearer.js';
import { readText } from '../../json.js';
import type { RefusalReason } from '../job-behaviour.js';
import type { FakeJob } from '../job-store.js';
import type { JobAddresses, JobDialect, ReportedStep } from '../job-dialect.js';

const WORDS: Readonly<Record<ReportedStep, string>> = {
  queued: 'submitted',
  running: 'processing',
  succeeded: 'succeed',
  failed: 'failed',
  expired: 'failed',
  cancelled: 'failed',
  strange: 'reviewing',
  'no-output': 'succeed',
};

const REFUSALS: Readonly<Record<RefusalReason, readonly [status: number, code: number]>> = {
  'bad-parameter': [400, 1201],
  'content-policy': [400, 1301],
  'wrong-key': [401, 1002],
  'no-funds': [429, 1102],
  'model-unknown': [404, 1203],
  'rate-limited': [429, 1302],
  overloaded: [503, 5001],
};

const PATHS = /^\/v1\/videos\/(?:text2video|image2video|multi-image2video)(?:\/([^/]+))?$/;

/** Kling: a code in every body, three paths, and our own id as good as its own. */
export const kling: JobDialect = {
  name: 'kling',
  route: ({ method, path }) => {
    const content = /^\/content\/(.+)$/.exec(path)?.[1];
    if (content !== undefined) return { kind: 'content', id: content };
    const id = PATHS.exec(path)?.[1];
    if (method === 'POST' && id === undefined && PATHS.test(path)) return { kind: 'create' };
    return method === 'GET' && id !== undefined ? { kind: 'poll', id: decodeURIComponent(id) } : undefined;
  },
  readKey: (headers) => readIssuer(readBearer(headers)),
  readFacts: ({ body }) => ({
    model: readText(body['model_name']),
    prompt: readText(body['prompt']),
    seconds: body['duration'],
    reference: body['external_task_id'],
  }),
  writeId: (count) => `8${String(count).padStart(17, '0')}`,
  describeMade: (job, addresses) => describeTask(job, 'queued', addresses),
  describePoll: describeTask,
  describeRefusal: (reason, message) => {
    const [status, code] = REFUSALS[reason];
    return { status, body: { code, message, request_id: 'fake' } };
  },
  describeMissing: () => ({
    status: 404,
    body: { code: 1203, message: 'The requested resource does not exist.', request_id: 'fake' },
  }),
};

function describeTask(job: FakeJob, step: ReportedStep, { video }: JobAddresses) {
  const videos = [{ id: `video-${job.id}`, url: video, duration: `${job.seconds}.1` }];
  const isOver = WORDS[step] === 'failed';
  return {
    status: 200,
    body: {
      code: 0,
      message: 'SUCCEED',
      request_id: 'fake',
      data: omitUndefined({
        task_id: job.id,
        task_status: WORDS[step],
        task_status_msg: isOver ? 'Failure to pass the risk control system' : '',
        task_info: { external_task_id: job.reference },
        task_result: step === 'succeeded' ? { videos } : undefined,
        final_unit_deduction: step === 'succeeded' ? '2.5' : undefined,
        created_at: Date.now(),
        updated_at: Date.now(),
      }),
    },
  };
}

/** Each call has a token of its own; who signed it stays the same. */
function readIssuer(token: string): string {
  const claims = /^[\w-]+\.([\w-]+)\.[\w-]+$/.exec(token)?.[1];
  const text = Buffer.from(claims ?? '', 'base64url').toString();
  return /"iss":"([^"]*)"/.exec(text)?.[1] ?? token;
}
