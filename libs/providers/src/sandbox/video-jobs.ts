import type { JsonObject } from '@mg/protocols';
import { buildDownload, buildJobRequest } from '../job-request.js';
import type { JobCall, JobOrder, JobReply, JobSurface, PollResult, SubmitResult } from '../job-surface.js';
import {
  acceptJob,
  toUnclearResult,
  type StatusMap,
  mapSubmitError,
  readInner,
  mapPollStatus,
} from '../job-status.js';
import { readShape } from '../video-fields.js';
import { answerVideo } from './answer-video.js';

export const GENERIC_MODEL = 'sandbox-video';
export const NATIVE_MODEL = 'sandbox-native-video';

const STATUS_MAP: StatusMap = {
  queued: 'submitted',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  expired: 'expired',
};

const generic: JobSurface = {
  serves: (model) => model === GENERIC_MODEL,
  submit: (order, call) =>
    buildJobRequest(call, { method: 'POST', path: '/videos', headers: {}, body: writeBody(order, call) }),
  readSubmit,
  poll: (job, call) =>
    buildJobRequest(call, { method: 'GET', path: `/videos/${encodeURIComponent(job.id)}`, headers: {} }),
  readPoll: (reply, job, call) =>
    readPoll(reply, `${call.baseUrl}/videos/${encodeURIComponent(job.id)}/content`),
  download: (result, call) => buildDownload(result.url, call, {}),
  pollEveryMs: { first: 600, longest: 1_500 },
  answer: answerVideo,
};

/** Simulated video jobs in this process: one model for each video API. Their state stands in their ids. */
export const videoJobs: readonly JobSurface[] = [
  generic,
  { ...generic, native: true, serves: (model) => model === NATIVE_MODEL },
];

/** The simulated API takes the native body; a generic order becomes one. */
function writeBody(order: JobOrder, { model }: JobCall): JsonObject {
  if (order.apiVariant === 'native') return { ...order.body, model };
  const { prompt, seconds } = order.order;
  return { model, content: [{ type: 'text', text: prompt }], duration: seconds, ...readShape(order.order) };
}

function readSubmit(reply: JobReply): SubmitResult {
  const id = reply.json?.id;
  if (reply.status === 200 && typeof id === 'string') return acceptJob(id);
  const error = readInner(reply.json, 'error');
  if (!error) return mapSubmitError(reply, undefined);
  const { code = '', message = '', param = '' } = error;
  const named = param === '' ? {} : { param: String(param) };
  return mapSubmitError(reply, { code: String(code), message: String(message), ...named });
}

function readPoll(reply: JobReply, url: string): PollResult {
  const { json } = reply;
  if (reply.status !== 200 || !json) return toUnclearResult(reply);
  const error = readInner(json, 'error');
  return mapPollStatus(STATUS_MAP, json.status, {
    progress: json.progress,
    url,
    seconds: json.duration,
    code: error?.code,
    message: error?.message,
    result: { needsKey: true, native: { ...json, content: { video_url: url } } },
  });
}
