import { omitUndefined } from '@mg/contract';
import { readBearer } from '../../dialects/read-bearer.js';
import { readText } from '../../json.js';
import type { RefusalReason } from '../job-behaviour.js';
import type { JobDialect, JobRoute, ReportedStep } from '../job-dialect.js';

const WORDS: Readonly<Record<ReportedStep, string>> = {
  queued: 'Queueing',
  running: 'Processing',
  succeeded: 'Success',
  failed: 'Fail',
  expired: 'Fail',
  cancelled: 'Fail',
  strange: 'Rendering',
  'no-output': 'Success',
};

const REFUSALS: Readonly<Record<RefusalReason, number>> = {
  'bad-parameter': 2013,
  'content-policy': 1026,
  'wrong-key': 1004,
  'no-funds': 1008,
  'model-unknown': 2061,
  'rate-limited': 1002,
  overloaded: 1039,
};

const FINE = { status_code: 0, status_msg: 'success' };

/** MiniMax: refusals under a 200, and a file that is asked for apart. */
export const minimax: JobDialect = {
  name: 'minimax',
  route: ({ method, path, query }): JobRoute | undefined => {
    const content = /^\/content\/(.+)$/.exec(path)?.[1];
    if (content !== undefined) return { kind: 'content', id: content };
    if (method === 'POST' && path === '/v1/video_generation') return { kind: 'create' };
    if (path === '/v1/query/video_generation') return { kind: 'poll', id: query.get('task_id') ?? '' };
    if (path !== '/v1/files/retrieve') return undefined;
    return { kind: 'result', id: (query.get('file_id') ?? '').replace(/^file/, '') };
  },
  readKey: readBearer,
  readFacts: ({ body }) => ({
    model: readText(body['model']),
    prompt: readText(body['prompt']),
    seconds: body['duration'],
  }),
  writeId: (count) => String(106_916_112_212_032 + count),
  describeMade: (job) => ({ status: 200, body: { task_id: job.id, base_resp: FINE } }),
  describePoll: (job, step) => ({
    status: 200,
    body: {
      task_id: job.id,
      status: WORDS[step],
      ...omitUndefined({
        file_id: step === 'succeeded' ? `file${job.id}` : undefined,
        video_width: step === 'succeeded' ? 1366 : undefined,
        video_height: step === 'succeeded' ? 768 : undefined,
      }),
      base_resp: WORDS[step] === 'Fail' ? { status_code: 1027, status_msg: 'output new_sensitive' } : FINE,
    },
  }),
  describeResult: (job, _step, { video }) => ({
    status: 200,
    body: {
      file: {
        file_id: `file${job.id}`,
        filename: 'output.mp4',
        purpose: 'video_generation',
        download_url: video,
      },
      base_resp: FINE,
    },
  }),
  describeRefusal: (reason, message) => ({
    status: 200,
    body: { base_resp: { status_code: REFUSALS[reason], status_msg: message } },
  }),
};
