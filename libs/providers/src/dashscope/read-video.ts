import { acceptJob, toUnclearResult, mapSubmitError, readInner, mapPollStatus } from '../job-status.js';
import type { StatusMap, ProviderError } from '../job-status.js';
import type { JobCall, JobReply, PollResult, SubmitResult, UpstreamJob } from '../job-surface.js';

/** `UNKNOWN` is a job that was given up or is older than a day. */
const STATUS_MAP: StatusMap = {
  PENDING: 'submitted',
  RUNNING: 'running',
  SUCCEEDED: 'succeeded',
  FAILED: 'failed',
  CANCELED: 'cancelled',
  UNKNOWN: 'expired',
};

/** Links of results expire after 24 hours. */
const LINK_LIFETIME_MS = 24 * 60 * 60 * 1_000;

export function readSubmit(reply: JobReply): SubmitResult {
  const id = readInner(reply.json, 'output')?.task_id;
  if (reply.status < 300 && typeof id === 'string' && id !== '') return acceptJob(id);
  return mapSubmitError(reply, readError(reply), { Arrearage: 'credential' });
}

export function readPoll(reply: JobReply, _job: UpstreamJob, call: JobCall): PollResult {
  const output = readInner(reply.json, 'output');
  if (reply.status >= 300 || output?.task_status === undefined)
    return toUnclearResult(reply, readError(reply));
  const usage = readInner(reply.json, 'usage');
  return mapPollStatus(STATUS_MAP, output.task_status, {
    url: output.video_url,
    seconds: usage?.output_video_duration ?? usage?.video_duration ?? usage?.duration,
    code: output.code ?? reply.json?.code,
    message: output.message ?? reply.json?.message,
    result: { expiresAt: call.nowMs + LINK_LIFETIME_MS },
  });
}

function readError({ json }: JobReply): ProviderError | undefined {
  if (typeof json?.code !== 'string' || json.code === '') return undefined;
  return { code: json.code, message: typeof json.message === 'string' ? json.message : json.code };
}
