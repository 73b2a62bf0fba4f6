import {
  acceptJob,
  toUnclearResult,
  mapSubmitError,
  mapStatus,
  readInner,
  toPollResult,
  mapPollStatus,
} from '../job-status.js';
import type { StatusMap, ProviderError } from '../job-status.js';
import { buildJobRequest, carryBearer } from '../job-request.js';
import type {
  JobCall,
  JobReply,
  PollResult,
  RefusalKind,
  SubmitResult,
  UpstreamJob,
} from '../job-surface.js';

const STATUS_MAP: StatusMap = {
  Preparing: 'submitted',
  Queueing: 'submitted',
  Processing: 'running',
  Success: 'succeeded',
  Fail: 'failed',
};

/** Links of results expire after an hour or so. */
const LINK_LIFETIME_MS = 60 * 60 * 1_000;

/**
 * Refusals come with status 200.
 *
 * @see https://platform.minimax.io/docs/api-reference/errorcode
 */
const CODES: Readonly<Record<string, RefusalKind>> = {
  1002: 'limited',
  1004: 'credential',
  1008: 'credential',
  1026: 'caller',
  1027: 'caller',
  1039: 'limited',
  1042: 'caller',
  2013: 'caller',
  2049: 'credential',
  2056: 'limited',
  2061: 'broken',
};

export function readSubmit(reply: JobReply): SubmitResult {
  const id = reply.json?.task_id;
  const said = readError(reply);
  if (!said && reply.status < 300 && typeof id === 'string' && id !== '') return acceptJob(id);
  return mapSubmitError(reply, said, CODES);
}

/** A finished job names a file, whose address is asked for apart. A refusal of the poll itself decides nothing. */
export function readPoll(reply: JobReply, job: UpstreamJob, call: JobCall): PollResult {
  const { json } = reply;
  const said = readError(reply);
  const file = readInner(json, 'file');
  if (file && !said) {
    const result = { expiresAt: call.nowMs + LINK_LIFETIME_MS };
    return toPollResult('succeeded', { url: file.download_url, result });
  }
  const status = mapStatus(STATUS_MAP, json?.status);
  const isRefused = said !== undefined && status !== 'failed';
  if (reply.status >= 300 || json?.status === undefined || isRefused) return toUnclearResult(reply, said);
  const { file_id: id = '' } = json;
  if (status !== 'succeeded' || id === '') {
    return mapPollStatus(STATUS_MAP, json.status, { code: said?.code, message: said?.message });
  }
  const path = `/files/retrieve?file_id=${encodeURIComponent(String(id))}`;
  const request = buildJobRequest(call, { method: 'GET', path, headers: carryBearer(call) });
  return { kind: 'elsewhere', request, job };
}

function readError({ json }: JobReply): ProviderError | undefined {
  const { status_code: code, status_msg: message } = readInner(json, 'base_resp') ?? {};
  if (typeof code !== 'number' || code === 0) return undefined;
  return { code: String(code), message: typeof message === 'string' ? message : 'no reason' };
}
