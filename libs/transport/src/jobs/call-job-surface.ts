import { setImmediate } from 'node:timers/promises';
import { parseObject } from '@mg/protocols';
import { serveBytes } from '../results/serve-bytes.js';
import { type RangeRequest, toRangeHeaders } from '../results/result-store.js';
import type { UpstreamTimeouts } from '../upstream/upstream-call.js';
import { keepJobFacts } from './keep-job-facts.js';
import type { JobHttp, JobHttpRequest, JobHttpResponse, OpenedFile, PassedOn } from './job-http.js';

/** A provider that answers in this process, where it is simulated. */
export interface LocalAnswerer {
  answer?(request: JobHttpRequest): Promise<{
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly bytes: Buffer;
  }>;
}

/** Asks a provider's job API once, over HTTP or in this process. @throws UpstreamFailure */
export async function callJobSurface(
  surface: LocalAnswerer,
  request: JobHttpRequest & PassedOn,
  timeouts: UpstreamTimeouts,
  http: JobHttp,
): Promise<JobHttpResponse> {
  if (!surface.answer) {
    const reply = await http.send(request, timeouts);
    return { ...reply, json: reply.json && (await keepJobFacts(reply.json, setImmediate)) };
  }
  const { status, headers, bytes } = await surface.answer(request);
  const text = bytes.toString('utf8');
  return { status, headers, json: parseObject(text), text };
}

/** Opens a result that stands behind a channel's credential, or a part of it. @throws UpstreamFailure */
export async function openJobResult(
  surface: LocalAnswerer,
  request: JobHttpRequest,
  requested: RangeRequest,
  timeouts: UpstreamTimeouts,
  http: JobHttp,
): Promise<OpenedFile> {
  if (!surface.answer) {
    const headers = { ...request.headers, ...toRangeHeaders(requested) };
    return http.open({ ...request, headers }, timeouts, false);
  }
  const { status, headers, bytes } = await surface.answer(request);
  const served = serveBytes(bytes, headers['content-type'] ?? 'video/mp4', `"${bytes.length}"`, requested);
  return status === 200 ? served : { ...served, status };
}
