import { isObject } from '@mg/protocols';
import {
  acceptJob,
  toUnclearResult,
  mapSubmitError,
  readFirst,
  readInner,
  mapPollStatus,
} from '../job-status.js';
import type { StatusMap, ProviderError } from '../job-status.js';
import type {
  JobCall,
  JobOrder,
  JobReply,
  PollResult,
  RefusalKind,
  SubmitResult,
  UpstreamJob,
} from '../job-surface.js';

import { takeOrder } from '../video-fields.js';
import { choosePath } from './submit-video.js';

const STATUS_MAP: StatusMap = {
  submitted: 'submitted',
  processing: 'running',
  succeed: 'succeeded',
  failed: 'failed',
};

/** Links of results expire after 30 days. */
const LINK_LIFETIME_MS = 30 * 24 * 60 * 60 * 1_000;

/** Kling reports what went wrong in the body, whose status may be another. */
const CODES: Readonly<Record<string, RefusalKind>> = {
  1000: 'credential',
  1001: 'credential',
  1002: 'credential',
  1003: 'credential',
  1004: 'credential',
  1100: 'credential',
  1101: 'credential',
  1102: 'credential',
  1103: 'credential',
  1200: 'caller',
  1201: 'caller',
  1202: 'broken',
  1203: 'broken',
  1300: 'caller',
  1301: 'caller',
  1302: 'limited',
  1303: 'limited',
  1304: 'credential',
};

const NOT_THERE = 1203;

/** The job, with the way that its order went: polls go the same. */
export function readSubmit(reply: JobReply, _call: JobCall, order: JobOrder): SubmitResult {
  const id = readInner(reply.json, 'data')?.task_id;
  if (reply.json?.code === 0 && typeof id === 'string' && id !== '')
    return acceptJob(id, { path: choosePath(takeOrder(order)) });
  return mapSubmitError(reply, readError(reply), CODES);
}

export function readPoll(reply: JobReply, _job: UpstreamJob, call: JobCall): PollResult {
  const data = readInner(reply.json, 'data');
  if (reply.json?.code !== 0 || data?.task_status === undefined)
    return toUnclearResult(reply, readError(reply));
  const video = readFirst(readInner(data, 'task_result'), 'videos');
  return mapPollStatus(STATUS_MAP, data.task_status, {
    url: isObject(video) ? video.url : undefined,
    seconds: isObject(video) ? video.duration : undefined,
    message: data.task_status_msg,
    result: { expiresAt: call.nowMs + LINK_LIFETIME_MS },
  });
}

/** The job that our own id stands for. */
export function readFind(reply: JobReply, _call: JobCall, order: JobOrder): UpstreamJob | 'none' | 'unclear' {
  const id = readInner(reply.json, 'data')?.task_id;
  if (reply.json?.code === 0 && typeof id === 'string' && id !== '') {
    return { id, data: { path: choosePath(takeOrder(order)) } };
  }
  return reply.json?.code === NOT_THERE ? 'none' : 'unclear';
}

function readError({ json }: JobReply): ProviderError | undefined {
  if (typeof json?.code !== 'number' || json.code === 0) return undefined;
  return { code: String(json.code), message: typeof json.message === 'string' ? json.message : 'no reason' };
}
