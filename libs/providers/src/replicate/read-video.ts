import { omitUndefined } from '@mg/contract';
import { isObject } from '@mg/protocols';
import { aimJobRequest, buildJobRequest, carryBearer, keepOwnUrl } from '../job-request.js';
import {
  acceptJob,
  toUnclearResult,
  mapSubmitError,
  readFirst,
  readInner,
  mapPollStatus,
} from '../job-status.js';
import type { StatusMap, ProviderError } from '../job-status.js';
import type { JobCall, JobReply, JobRequest, PollResult, SubmitResult, UpstreamJob } from '../job-surface.js';

const STATUS_MAP: StatusMap = {
  starting: 'submitted',
  processing: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'cancelled',
  aborted: 'cancelled',
};

/** Files of results are deleted after an hour. */
const LINK_LIFETIME_MS = 60 * 60 * 1_000;

export function readSubmit(reply: JobReply): SubmitResult {
  const id = reply.json?.id;
  if (reply.status < 300 && typeof id === 'string' && id !== '') {
    return acceptJob(id, { urls: readInner(reply.json, 'urls') ?? {} });
  }
  return mapSubmitError(reply, readError(reply));
}

/** A request at the address that the prediction returned for itself, where that is the channel's own server. */
export function requestLink(job: UpstreamJob, name: 'get' | 'cancel', call: JobCall): JobRequest {
  const headers = carryBearer(call);
  const method = name === 'get' ? 'GET' : 'POST';
  const url = keepOwnUrl(readInner(job.data, 'urls')?.[name], call);
  if (url) return aimJobRequest(url, { method, headers });
  const path = `/predictions/${encodeURIComponent(job.id)}${name === 'get' ? '' : '/cancel'}`;
  return buildJobRequest(call, { method, path, headers });
}

export function readPoll(reply: JobReply, _job: UpstreamJob, call: JobCall): PollResult {
  const { json } = reply;
  if (reply.status >= 300 || typeof json?.status !== 'string')
    return toUnclearResult(reply, readError(reply));
  const { output } = json;
  return mapPollStatus(STATUS_MAP, json.status, {
    url: readFirst(json, 'output') ?? (isObject(output) ? output.video : output),
    seconds: readInner(json, 'metrics')?.video_output_duration_seconds,
    message: json.error,
    result: { expiresAt: call.nowMs + LINK_LIFETIME_MS },
  });
}

function readError({ status, json }: JobReply): ProviderError | undefined {
  if (typeof json?.detail !== 'string') return undefined;
  const invalid = readFirst(json, 'invalid_fields');
  const field = isObject(invalid) && typeof invalid.field === 'string' ? invalid.field : undefined;
  return omitUndefined({
    code: typeof json.title === 'string' ? json.title : `http_${status}`,
    message: json.detail,
    param: field?.replace(/^input\./, ''),
  });
}
