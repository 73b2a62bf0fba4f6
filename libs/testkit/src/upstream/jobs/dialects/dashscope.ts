import { omitUndefined } from '@mg/contract';
import { readBearer } from '../../dialects/read-bearer.js';
import { isObject, readText } from '../../json.js';
import type { RefusalReason } from '../job-behaviour.js';
import type { JobDialect, ReportedStep } from '../job-dialect.js';
import { readIdRoutes } from './read-id-routes.js';

const WORDS: Readonly<Record<ReportedStep, string>> = {
  queued: 'PENDING',
  running: 'RUNNING',
  succeeded: 'SUCCEEDED',
  failed: 'FAILED',
  expired: 'UNKNOWN',
  cancelled: 'CANCELED',
  strange: 'SUSPENDED',
  'no-output': 'SUCCEEDED',
};

const REFUSALS: Readonly<Record<RefusalReason, readonly [status: number, code: string]>> = {
  'bad-parameter': [400, 'InvalidParameter'],
  'content-policy': [400, 'DataInspectionFailed'],
  'wrong-key': [401, 'InvalidApiKey'],
  'no-funds': [400, 'Arrearage'],
  'model-unknown': [404, 'ModelNotFound'],
  'rate-limited': [429, 'Throttling.RateQuota'],
  overloaded: [503, 'ModelUnavailable'],
};

const readRoute = readIdRoutes({
  create: /^\/api\/v1\/services\/aigc\/(?:video-generation|image2video)\/video-synthesis$/,
  poll: '/api/v1/tasks',
});

/** Model Studio: only asynchronous, which a header must say. */
export const dashscope: JobDialect = {
  name: 'dashscope',
  route: (arrival) => {
    const route = readRoute(arrival);
    return route?.kind === 'create' && arrival.headers['x-dashscope-async'] !== 'enable' ? undefined : route;
  },
  readKey: readBearer,
  readFacts: ({ body }) => {
    const input = isObject(body['input']) ? body['input'] : {};
    const parameters = isObject(body['parameters']) ? body['parameters'] : {};
    return {
      model: readText(body['model']),
      prompt: readText(input['prompt']),
      seconds: parameters['duration'],
    };
  },
  writeId: (count) => `0385dc79-5ff8-4d82-bcb6-${String(count).padStart(12, '0')}`,
  describeMade: (job) => ({
    status: 200,
    body: { request_id: 'fake', output: { task_id: job.id, task_status: 'PENDING' } },
  }),
  describePoll: (job, step, { video }) => ({
    status: 200,
    body: {
      request_id: 'fake',
      output: omitUndefined({
        task_id: job.id,
        task_status: WORDS[step],
        video_url: step === 'succeeded' ? video : undefined,
        orig_prompt: step === 'succeeded' ? job.prompt : undefined,
        code: step === 'failed' ? 'DataInspectionFailed' : undefined,
        message: step === 'failed' ? 'Output data may contain inappropriate content.' : undefined,
      }),
      ...omitUndefined({
        usage: step === 'succeeded' ? { duration: job.seconds, video_count: 1, SR: 720 } : undefined,
      }),
    },
  }),
  describeRefusal: (reason, message) => {
    const [status, code] = REFUSALS[reason];
    return { status, body: { code, message, request_id: 'fake' } };
  },
};
