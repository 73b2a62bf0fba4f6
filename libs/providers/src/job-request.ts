import { omitUndefined } from '@mg/contract';
import type { JsonObject } from '@mg/protocols';
import type { JobCall, JobRequest } from './job-surface.js';

export interface JobRequestParts {
  readonly method: JobRequest['method'];
  /** Below the channel's base address, with its query where it has one. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, or the bytes of it. */
  readonly body?: JsonObject | Buffer;
  readonly dropped?: readonly string[];
}

/** A request to a provider's job API whose body, if any, is JSON: written by whoever sends it. */
export function buildJobRequest(call: JobCall, parts: JobRequestParts): JobRequest {
  return aimJobRequest(new URL(call.baseUrl + parts.path), parts);
}

/** The same at an address that the provider returned. */
export function aimJobRequest(
  url: URL,
  { method, headers, body, dropped }: Omit<JobRequestParts, 'path'>,
): JobRequest {
  return {
    method,
    url,
    headers: {
      accept: 'application/json',
      'user-agent': 'model-gateway',
      ...omitUndefined({ 'content-type': body === undefined ? undefined : 'application/json' }),
      ...headers,
    },
    ...omitUndefined({
      body,
      dropped: dropped === undefined || dropped.length === 0 ? undefined : dropped,
    }),
  };
}

export function carryBearer(call: JobCall): Record<string, string> {
  return { authorization: `Bearer ${call.apiKey ?? ''}` };
}

/** An address that a provider returned, if it leads to the channel's own server: a credential goes nowhere else. */
export function keepOwnUrl(reported: unknown, call: JobCall): URL | undefined {
  if (typeof reported !== 'string' || !URL.canParse(reported)) return undefined;
  const url = new URL(reported);
  return url.origin === new URL(call.baseUrl).origin ? url : undefined;
}

/** The download of a result; the credential goes along to the channel's own server only. */
export function buildDownload(
  url: string,
  call: JobCall,
  credential: Readonly<Record<string, string>>,
): JobRequest {
  const own = keepOwnUrl(url, call) === undefined ? {} : credential;
  return {
    method: 'GET',
    url: new URL(url),
    headers: { accept: 'video/*, */*', 'user-agent': 'model-gateway', ...own },
  };
}
