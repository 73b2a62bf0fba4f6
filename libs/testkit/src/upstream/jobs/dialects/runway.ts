import { omitUndefined } from '@mg/contract';
import { readBearer } from '../../dialects/read-bearer.js';
import { readText } from '../../json.js';
import type { RefusalReason } from '../job-behaviour.js';
import type { JobDialect, ReportedStep } from '../job-dialect.js';
import { readIdRoutes } from './read-id-routes.js';

const WORDS: Readonly<Record<ReportedStep, string>> = {
  queued: 'THROTTLED',
  running: 'RUNNING',
  succeeded: 'SUCCEEDED',
  failed: 'FAILED',
  expired: 'FAILED',
  cancelled: 'CANCELLED',
  strange: 'MODERATING',
  'no-output': 'SUCCEEDED',
};

const REFUSALS: Readonly<Record<RefusalReason, readonly [status: number, sentence?: string]>> = {
  'bad-parameter': [400],
  'content-policy': [400],
  'wrong-key': [401],
  'no-funds': [400, 'You do not have enough credits to run this task.'],
  'model-unknown': [404],
  'rate-limited': [429],
  overloaded: [503],
};

const readRoute = readIdRoutes({
  create: /^\/v1\/(?:text|image|video)_to_video$/,
  poll: '/v1/tasks',
  cancel: '/v1/tasks',
});

/** Runway: nothing without the header that says which version is meant. */
export const runway: JobDialect = {
  name: 'runway',
  route: (arrival) =>
    arrival.headers['x-runway-version'] || isContent(arrival.path) ? readRoute(arrival) : undefined,
  readKey: readBearer,
  readFacts: ({ body }) => ({
    model: readText(body['model']),
    prompt: readText(body['promptText']),
    seconds: body['duration'],
  }),
  writeId: (count) => `17f20503-6c24-4c16-946b-${String(count).padStart(12, '0')}`,
  describeMade: (job) => ({ status: 200, body: { id: job.id } }),
  describePoll: (job, step, { video }) => ({
    status: 200,
    body: {
      id: job.id,
      status: WORDS[step],
      createdAt: new Date().toISOString(),
      ...omitUndefined({
        progress: step === 'running' ? 0.42 : undefined,
        output: step === 'succeeded' ? [video] : step === 'no-output' ? [] : undefined,
        failure: WORDS[step] === 'FAILED' ? 'The prompt was held back by moderation.' : undefined,
        failureCode: WORDS[step] === 'FAILED' ? 'SAFETY.INPUT.TEXT' : undefined,
      }),
    },
  }),
  describeRefusal: (reason, message) => {
    const [status, sentence = message] = REFUSALS[reason];
    return { status, body: { error: sentence } };
  },
};

function isContent(path: string): boolean {
  return path.startsWith('/content/');
}
