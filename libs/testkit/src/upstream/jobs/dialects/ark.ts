import { omitUndefined } from '@mg/contract';
import { readBearer } from '../../dialects/read-bearer.js';
import { listObjects, readText } from '../../json.js';
import type { RefusalReason } from '../job-behaviour.js';
import type { JobDialect, ReportedStep } from '../job-dialect.js';
import { readIdRoutes } from './read-id-routes.js';

const TASKS = '/api/v3/contents/generations/tasks';

const WORDS: Readonly<Record<ReportedStep, string>> = {
  queued: 'queued',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  expired: 'expired',
  cancelled: 'cancelled',
  strange: 'postprocessing',
  'no-output': 'succeeded',
};

const REFUSALS: Readonly<Record<RefusalReason, readonly [status: number, code: string]>> = {
  'bad-parameter': [400, 'InvalidParameter'],
  'content-policy': [400, 'InputTextSensitiveContentDetected'],
  'wrong-key': [401, 'AuthenticationError'],
  'no-funds': [403, 'AccountOverdueError'],
  'model-unknown': [404, 'InvalidEndpointOrModel.NotFound'],
  'rate-limited': [429, 'RateLimitExceeded.EndpointRPMExceeded'],
  overloaded: [503, 'ServerOverloaded'],
};

/** Volcengine Ark's video tasks. */
export const ark: JobDialect = {
  name: 'ark',
  route: readIdRoutes({ create: TASKS, poll: TASKS, cancel: TASKS }),
  readKey: readBearer,
  readFacts: ({ body }) => ({
    model: readText(body['model']),
    prompt: listObjects(body['content'])
      .map((part) => readText(part['text']))
      .join(' '),
    seconds: body['duration'],
  }),
  writeId: (count) => `cgt-20261121120000-${String(count).padStart(5, '0')}`,
  describeMade: (job) => ({ status: 200, body: { id: job.id } }),
  describePoll: (job, step, { video }) => ({
    status: 200,
    body: {
      id: job.id,
      model: job.model,
      status: WORDS[step],
      error:
        step === 'failed' ? { code: 'OutputVideoSensitiveContentDetected', message: 'Not shown.' } : null,
      ...omitUndefined({
        content: step === 'succeeded' ? { video_url: video } : step === 'no-output' ? {} : undefined,
        usage: step === 'succeeded' ? { completion_tokens: 108_000, total_tokens: 108_000 } : undefined,
      }),
      created_at: Math.floor(Date.now() / 1_000),
      updated_at: Math.floor(Date.now() / 1_000),
      seed: 7,
      resolution: '720p',
      ratio: '16:9',
      duration: job.seconds,
      framespersecond: 24,
      service_tier: 'default',
    },
  }),
  describeRefusal: (reason, message) => {
    const [status, code] = REFUSALS[reason];
    const param = reason === 'bad-parameter' ? 'duration' : '';
    return { status, body: { error: { code, message, param, type: 'BadRequest' } } };
  },
};
