import { omitUndefined } from '@mg/contract';
import { isObject, type JsonObject } from '@mg/protocols';
import { aimJobRequest, keepOwnUrl } from '../job-request.js';
import {
  acceptJob,
  toUnclearResult,
  mapSubmitError,
  mapStatus,
  readFirst,
  readInner,
  toPollResult,
  mapPollStatus,
} from '../job-status.js';
import type { StatusMap, ProviderError } from '../job-status.js';
import type { JobCall, JobReply, JobRequest, PollResult, SubmitResult, UpstreamJob } from '../job-surface.js';
import { authorize } from './submit-video.js';

const STATUS_MAP: StatusMap = {
  IN_QUEUE: 'submitted',
  IN_PROGRESS: 'running',
  COMPLETED: 'succeeded',
  CANCELLED: 'cancelled',
};

const NO_BALANCE = /balance/i;
const REFUSED_INPUT = 422;

/** A job with the addresses that fal returned for it, which are not to be built. */
export function readSubmit(reply: JobReply): SubmitResult {
  const { json } = reply;
  const id = json?.request_id;
  if (reply.status < 300 && json && typeof id === 'string' && id !== '') {
    const { status_url, response_url, cancel_url } = json;
    return acceptJob(id, { status_url, response_url, cancel_url });
  }
  return mapSubmitError(reply, readError(reply), { no_balance: 'credential' });
}

/** A request at an address that fal returned; one that leads elsewhere than to the channel's server is not asked. */
export function requestLink(
  job: UpstreamJob,
  name: 'status_url' | 'response_url' | 'cancel_url',
  call: JobCall,
  method: 'GET' | 'PUT' = 'GET',
): JobRequest {
  const url = keepOwnUrl(job.data[name], call);
  if (!url) throw new TypeError(`the job has no ${name} at the channel's own address`);
  return aimJobRequest(url, { method, headers: authorize(call) });
}

/** A finished request's result stands elsewhere, and only there does it report that the model refused it. */
export function readPoll(reply: JobReply, job: UpstreamJob, call: JobCall): PollResult {
  const { json } = reply;
  const said = readError(reply);
  if (job.data.atResult === true) return readResult(reply, said);
  if (reply.status >= 300 || json?.status === undefined) return toUnclearResult(reply, said);
  if (mapStatus(STATUS_MAP, json.status) !== 'succeeded') return mapPollStatus(STATUS_MAP, json.status, {});
  if (json.error !== undefined && json.error !== null) {
    return toPollResult('failed', { code: json.error_type, message: json.error });
  }
  const request = requestLink(job, 'response_url', call);
  return { kind: 'elsewhere', request, job: { ...job, data: { ...job.data, atResult: true } } };
}

function readResult(reply: JobReply, said: ProviderError | undefined): PollResult {
  if (reply.status === REFUSED_INPUT)
    return toPollResult('failed', { code: said?.code, message: said?.message });
  if (reply.status >= 300 || !reply.json) return toUnclearResult(reply, said);
  return toPollResult('succeeded', { url: findVideo(reply.json) });
}

function findVideo(json: JsonObject): unknown {
  const first = readFirst(json, 'videos');
  return readInner(json, 'video')?.url ?? (isObject(first) ? first.url : undefined) ?? json.video_url;
}

/** What is wrong is a sentence, or a list with a place and a type for each field. */
function readError({ status, json }: JobReply): ProviderError | undefined {
  const detail = json?.detail;
  if (typeof detail === 'string') {
    const isPoor = status === 403 && NO_BALANCE.test(detail);
    return { code: isPoor ? 'no_balance' : `http_${status}`, message: detail };
  }
  const first = readFirst(json, 'detail');
  if (!isObject(first)) return undefined;
  const { type, msg, loc } = first;
  const field: unknown = Array.isArray(loc) ? loc.at(-1) : undefined;
  return omitUndefined({
    code: typeof type === 'string' ? type : `http_${status}`,
    message: typeof msg === 'string' ? msg : 'no reason',
    param: typeof field === 'string' ? field : undefined,
  });
}
