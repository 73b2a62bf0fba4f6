import { omitUndefined } from '@mg/contract';
import { type JsonObject, keepReported } from '@mg/protocols';
import {
  acceptJob,
  toUnclearResult,
  mapSubmitError,
  readInner,
  readLink,
  mapPollStatus,
} from '../job-status.js';
import type { StatusMap, ProviderError } from '../job-status.js';
import type { JobCall, JobReply, PollResult, SubmitResult, UpstreamJob } from '../job-surface.js';

const STATUS_MAP: StatusMap = {
  queued: 'submitted',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
  expired: 'expired',
};

const USUAL_RATE = 24;

/** Links of results expire after 24 hours. */
const LINK_LIFETIME_MS = 24 * 60 * 60 * 1_000;

export function readSubmit(reply: JobReply): SubmitResult {
  const id = reply.json?.id;
  if (reply.status < 300 && typeof id === 'string' && id !== '') return acceptJob(id);
  return mapSubmitError(reply, readError(reply), { AccountOverdueError: 'credential' });
}

/** @see https://www.volcengine.com/docs/82379/1521309 */
export function readPoll(reply: JobReply, _job: UpstreamJob, call: JobCall): PollResult {
  const { json } = reply;
  if (reply.status >= 300 || json?.status === undefined) return toUnclearResult(reply, readError(reply));
  const content = readInner(json, 'content');
  const error = readInner(json, 'error');
  return mapPollStatus(STATUS_MAP, json.status, {
    url: content?.video_url,
    seconds: readSeconds(json),
    code: error?.code,
    message: error?.message,
    result: omitUndefined({
      expiresAt: call.nowMs + LINK_LIFETIME_MS,
      native: keepReported(json),
      lastFrameUrl: readLink(content?.last_frame_url),
    }),
  });
}

/** A length is given in seconds, or in images where the order counted those. */
function readSeconds({ duration, frames, framespersecond }: JsonObject): unknown {
  if (duration !== undefined || typeof frames !== 'number') return duration;
  return Math.ceil(frames / (typeof framespersecond === 'number' ? framespersecond : USUAL_RATE));
}

function readError({ json }: JobReply): ProviderError | undefined {
  const error = readInner(json, 'error');
  if (typeof error?.code !== 'string') return undefined;
  const { code, message, param } = error;
  return omitUndefined({
    code,
    message: typeof message === 'string' ? message : code,
    param: typeof param === 'string' && param !== '' ? param : undefined,
  });
}
