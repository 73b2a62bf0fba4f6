import { omitUndefined } from '@mg/contract';
import { acceptJob, toUnclearResult, mapSubmitError, readInner, mapPollStatus } from '../job-status.js';
import type { StatusMap, ProviderError } from '../job-status.js';
import type { JobCall, JobOrder, JobReply, PollResult, SubmitResult, UpstreamJob } from '../job-surface.js';
import { REMIXED_FROM } from '@mg/protocols';

const STATUS_MAP: StatusMap = {
  queued: 'submitted',
  in_progress: 'running',
  completed: 'succeeded',
  failed: 'failed',
  cancelled: 'cancelled',
};

const NOT_FOUND = 404;
const GONE = {
  code: 'not_found',
  message: 'The provider of this video has it no longer, or makes no remixes.',
  param: 'video_id',
} as const;

export function readSubmit(reply: JobReply, _call: JobCall, order: JobOrder): SubmitResult {
  const id = reply.json?.id;
  const remixOf = order.apiVariant === 'generic' ? order.order.remixOf : undefined;
  if (reply.status < 300 && typeof id === 'string' && id !== '') {
    return acceptJob(id, remixOf ? { [REMIXED_FROM]: remixOf.videoId } : {});
  }
  // Nobody's fault: videos are kept for hours, and servers that look like OpenAI may have no remix.
  if (remixOf && reply.status === NOT_FOUND) return { kind: 'refused', fault: 'caller', ...GONE };
  return mapSubmitError(reply, readError(reply), { billing_hard_limit_reached: 'credential' });
}

export function readPoll(reply: JobReply, job: UpstreamJob, call: JobCall): PollResult {
  const { json } = reply;
  if (reply.status >= 300 || json?.status === undefined) return toUnclearResult(reply, readError(reply));
  const error = readInner(json, 'error');
  const expiresAt = json.expires_at;
  return mapPollStatus(STATUS_MAP, json.status, {
    progress: json.progress,
    url: `${call.baseUrl}/videos/${encodeURIComponent(job.id)}/content`,
    seconds: json.seconds,
    code: error?.code,
    message: error?.message,
    result: omitUndefined({
      needsKey: true,
      expiresAt: typeof expiresAt === 'number' ? expiresAt * 1_000 : undefined,
    }),
  });
}

function readError({ json }: JobReply): ProviderError | undefined {
  const error = readInner(json, 'error');
  if (typeof error?.message !== 'string') return undefined;
  const { message, code, type, param } = error;
  return omitUndefined({
    code: typeof code === 'string' ? code : typeof type === 'string' ? type : 'invalid_request_error',
    message,
    param: typeof param === 'string' ? param : undefined,
  });
}
