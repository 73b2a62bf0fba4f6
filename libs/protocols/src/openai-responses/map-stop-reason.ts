import { readObject } from '../canonical/read-fields.js';
import type { StopReason } from '../canonical/reply.js';
import { resolveStopReason } from '../canonical/resolve-stop-reason.js';
import type { JsonObject } from '../json.js';

/** A response reports its end by its status, what cut it short by `incomplete_details`, and calls by holding them. */
export function readResponsesStop(response: JsonObject, calls: boolean): StopReason {
  if (response.status !== 'incomplete') return resolveStopReason('stop', calls);
  const { reason } = readObject(response.incomplete_details) ?? {};
  return reason === 'content_filter' ? 'filtered' : 'length';
}

export interface ResponseEnding {
  readonly status: 'completed' | 'incomplete';
  readonly incomplete_details: { readonly reason: string } | null;
}

export function writeResponsesStop(stop: StopReason): ResponseEnding {
  if (stop === 'length') return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
  if (stop === 'filtered') return { status: 'incomplete', incomplete_details: { reason: 'content_filter' } };
  return { status: 'completed', incomplete_details: null };
}
