import { isObject, type JsonObject } from '@mg/protocols';
import { buildJobRequest } from '../job-request.js';
import {
  acceptJob,
  toUnclearResult,
  mapSubmitError,
  readFirst,
  readInner,
  toPollResult,
} from '../job-status.js';
import type { ProviderError } from '../job-status.js';
import type { JobCall, JobReply, JobRequest, PollResult, SubmitResult, UpstreamJob } from '../job-surface.js';
import { authorize } from './submit-video.js';

/** Files of results are deleted after two days. */
const LINK_LIFETIME_MS = 2 * 24 * 60 * 60 * 1_000;
const OPERATION = /^\w[\w-]*(?:\/\w[\w.-]*)*$/;

export function readSubmit(reply: JobReply): SubmitResult {
  const name = reply.json?.name;
  if (reply.status < 300 && typeof name === 'string' && OPERATION.test(name)) return acceptJob(name);
  return mapSubmitError(reply, readError(reply), {
    API_KEY_INVALID: 'credential',
    FAILED_PRECONDITION: 'credential',
  });
}

/** The operation's name is a path. */
export function poll(job: UpstreamJob, call: JobCall): JobRequest {
  return buildJobRequest(call, { method: 'GET', path: `/${job.id}`, headers: authorize(call) });
}

export function readPoll(reply: JobReply, _job: UpstreamJob, call: JobCall): PollResult {
  const { json } = reply;
  if (reply.status >= 300 || typeof json?.name !== 'string') return toUnclearResult(reply, readError(reply));
  if (json.done !== true)
    return toPollResult('running', { progress: readInner(json, 'metadata')?.progressPercent });
  const error = readInner(json, 'error');
  if (error) return toPollResult('failed', { code: error.status ?? error.code, message: error.message });
  const response = readInner(readInner(json, 'response'), 'generateVideoResponse');
  const reason = readFirst(response, 'raiMediaFilteredReasons');
  const url = findVideo(response);
  if (url === undefined && reason !== undefined) {
    return toPollResult('failed', { code: 'rai_media_filtered', message: reason });
  }
  return toPollResult('succeeded', {
    url,
    result: { needsKey: true, expiresAt: call.nowMs + LINK_LIFETIME_MS },
  });
}

function findVideo(response: JsonObject | undefined): unknown {
  const sample = readFirst(response, 'generatedSamples') ?? readFirst(response, 'generatedVideos');
  return isObject(sample) ? readInner(sample, 'video')?.uri : undefined;
}

/** A wrong key is a 400 like any other; the reason distinguishes it. */
function readError({ json }: JobReply): ProviderError | undefined {
  const error = readInner(json, 'error');
  if (typeof error?.message !== 'string') return undefined;
  const detail = readFirst(error, 'details');
  const reason = isObject(detail) ? detail.reason : undefined;
  const code = typeof reason === 'string' ? reason : error.status;
  return { code: typeof code === 'string' ? code : 'UNKNOWN', message: error.message };
}
