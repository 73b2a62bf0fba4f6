import { acceptJob, toUnclearResult, mapSubmitError, readFirst, mapPollStatus } from '../job-status.js';
import type { StatusMap, ProviderError } from '../job-status.js';
import type { JobCall, JobReply, PollResult, SubmitResult, UpstreamJob } from '../job-surface.js';

const STATUS_MAP: StatusMap = {
  PENDING: 'submitted',
  THROTTLED: 'submitted',
  RUNNING: 'running',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
};

/** Links of results expire after a day or two. */
const LINK_LIFETIME_MS = 24 * 60 * 60 * 1_000;
const NO_CREDITS = /\bcredits?\b/i;

export function readSubmit(reply: JobReply): SubmitResult {
  const id = reply.json?.id;
  if (reply.status < 300 && typeof id === 'string' && id !== '') return acceptJob(id);
  return mapSubmitError(reply, readError(reply), { not_enough_credits: 'credential' });
}

/** @see https://docs.dev.runwayml.com/api/#tag/Task-management */
export function readPoll(reply: JobReply, _job: UpstreamJob, call: JobCall): PollResult {
  const { json } = reply;
  if (reply.status >= 300 || json?.status === undefined) return toUnclearResult(reply, readError(reply));
  return mapPollStatus(STATUS_MAP, json.status, {
    progress: typeof json.progress === 'number' ? json.progress * 100 : undefined,
    url: readFirst(json, 'output'),
    code: json.failureCode,
    message: json.failure,
    result: { expiresAt: call.nowMs + LINK_LIFETIME_MS },
  });
}

/** Runway's refusals are a sentence; one of them differs from others by its text only. */
function readError({ status, json }: JobReply): ProviderError | undefined {
  if (typeof json?.error !== 'string') return undefined;
  const isPoor = status === 400 && NO_CREDITS.test(json.error);
  return { code: isPoor ? 'not_enough_credits' : `http_${status}`, message: json.error };
}
