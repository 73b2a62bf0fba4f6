import { readBearer } from '../../dialects/read-bearer.js';
import { errorBody } from '../../failures.js';
import { readText } from '../../json.js';
import type { RefusalReason } from '../job-behaviour.js';
import type { JobDialect, ReportedStep } from '../job-dialect.js';
import { readIdRoutes } from './read-id-routes.js';

const WORDS: Readonly<Record<ReportedStep, string>> = {
  queued: 'queued',
  running: 'in_progress',
  succeeded: 'completed',
  failed: 'failed',
  expired: 'failed',
  cancelled: 'cancelled',
  strange: 'moderating',
  'no-output': 'completed',
};

const PROGRESS: Partial<Record<ReportedStep, number>> = {
  queued: 0,
  running: 42,
  succeeded: 100,
  'no-output': 100,
};

const REFUSALS: Readonly<Record<RefusalReason, readonly [status: number, type: string, code: string]>> = {
  'bad-parameter': [400, 'invalid_request_error', 'invalid_value'],
  'content-policy': [400, 'video_generation_user_error', 'moderation_blocked'],
  'wrong-key': [401, 'invalid_request_error', 'invalid_api_key'],
  'no-funds': [400, 'billing_error', 'billing_hard_limit_reached'],
  'model-unknown': [404, 'invalid_request_error', 'model_not_found'],
  'rate-limited': [429, 'requests', 'rate_limit_exceeded'],
  overloaded: [503, 'server_error', 'server_overloaded'],
};

const readPolls = readIdRoutes({ create: '/v1/videos', poll: '/v1/videos' });

/** OpenAI's videos: ordered by a form, and their bytes want the key. */
export const openaiVideos: JobDialect = {
  name: 'openai',
  route: (arrival) => {
    const [, id, kind] = /^\/v1\/videos\/([^/]+)\/(content|remix)$/.exec(arrival.path) ?? [];
    if (id === undefined) return readPolls(arrival);
    return { kind: kind === 'remix' ? 'remix' : 'content', id };
  },
  readKey: readBearer,
  readFacts: ({ body }) => ({
    model: readText(body['model']),
    prompt: readText(body['prompt']),
    seconds: body['seconds'],
  }),
  writeId: (count) => `video_fake${String(count).padStart(6, '0')}`,
  describeMade: (job) => ({ status: 200, body: describeVideo(job.id, job.model, job.seconds, 'queued') }),
  describePoll: (job, step) => ({ status: 200, body: describeVideo(job.id, job.model, job.seconds, step) }),
  describeRefusal: (reason, message) => {
    const [status, type, code] = REFUSALS[reason];
    return { status, body: errorBody(message, type, code, reason === 'bad-parameter' ? 'seconds' : null) };
  },
  guardsContent: true,
};

const LINK_LIFE_S = 3_600;

function describeVideo(id: string, model: string, seconds: number, step: ReportedStep): unknown {
  const now = Math.floor(Date.now() / 1_000);
  return {
    id,
    object: 'video',
    model,
    status: WORDS[step],
    progress: PROGRESS[step] ?? 0,
    created_at: now,
    completed_at: step === 'succeeded' ? now : null,
    expires_at: step === 'succeeded' ? now + LINK_LIFE_S : null,
    seconds: String(seconds),
    size: '1280x720',
    error:
      step === 'failed' || step === 'expired'
        ? { code: 'moderation_blocked', message: 'Your request was blocked by our moderation system.' }
        : null,
  };
}
