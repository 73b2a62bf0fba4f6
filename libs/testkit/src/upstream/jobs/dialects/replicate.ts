import { readBearer } from '../../dialects/read-bearer.js';
import { isObject, readText } from '../../json.js';
import type { RefusalReason } from '../job-behaviour.js';
import type { FakeJob } from '../job-store.js';
import type { JobAddresses, JobAnswer, JobDialect, ReportedStep } from '../job-dialect.js';

const WORDS: Readonly<Record<ReportedStep, string>> = {
  queued: 'starting',
  running: 'processing',
  succeeded: 'succeeded',
  failed: 'failed',
  expired: 'aborted',
  cancelled: 'canceled',
  strange: 'warming',
  'no-output': 'succeeded',
};

const REFUSALS: Readonly<Record<RefusalReason, readonly [status: number, title: string]>> = {
  'bad-parameter': [422, 'Input validation failed'],
  'content-policy': [422, 'Input flagged'],
  'wrong-key': [401, 'Unauthenticated'],
  'no-funds': [402, 'Insufficient credit'],
  'model-unknown': [404, 'Not found'],
  'rate-limited': [429, 'Too many requests'],
  overloaded: [503, 'Service unavailable'],
};

const OFFICIAL = /^\/v1\/models\/([^/]+\/[^/]+)\/predictions$/;
const PREDICTION = /^\/v1\/predictions\/([^/]+)(\/cancel)?$/;

/** Replicate's predictions. */
export const replicate: JobDialect = {
  name: 'replicate',
  route: ({ method, path }) => {
    const content = /^\/content\/(.+)$/.exec(path)?.[1];
    if (content !== undefined) return { kind: 'content', id: content };
    const [, id, cancel] = PREDICTION.exec(path) ?? [];
    if (id !== undefined) return { kind: cancel === undefined ? 'poll' : 'cancel', id };
    const isCreate = method === 'POST' && (path === '/v1/predictions' || OFFICIAL.test(path));
    return isCreate ? { kind: 'create' } : undefined;
  },
  readKey: readBearer,
  readFacts: ({ path, body }) => {
    const input = isObject(body['input']) ? body['input'] : {};
    return {
      model: decodeURIComponent(OFFICIAL.exec(path)?.[1] ?? readText(body['version'])),
      prompt: readText(input['prompt']),
      seconds: input['duration'],
    };
  },
  writeId: (count) => `fakeprediction${String(count).padStart(6, '0')}`,
  describeMade: (job, addresses) => ({ ...describePrediction(job, 'queued', addresses), status: 201 }),
  describePoll: describePrediction,
  describeRefusal: (reason, detail) => {
    const [status, title] = REFUSALS[reason];
    const invalid =
      reason === 'bad-parameter' ? { invalid_fields: [{ field: 'input.duration', type: 'enum' }] } : {};
    return { status, body: { title, detail, status, ...invalid } };
  },
};

function describePrediction(job: FakeJob, step: ReportedStep, { base, video }: JobAddresses): JobAnswer {
  const own = `${base}/v1/predictions/${job.id}`;
  return {
    status: 200,
    body: {
      id: job.id,
      model: job.model,
      input: job.body['input'],
      status: WORDS[step],
      output: step === 'succeeded' ? video : null,
      error: step === 'failed' ? 'The input or output was flagged as sensitive. (E005)' : null,
      logs: '',
      created_at: new Date().toISOString(),
      urls: { get: own, cancel: `${own}/cancel` },
    },
  };
}
