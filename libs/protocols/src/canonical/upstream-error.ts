import type { JsonObject } from '../json.js';

/** What an upstream said about a failure: its message and the field it blames, where it names them. */
export interface UpstreamError {
  readonly message: string | undefined;
  readonly param: string | undefined;
  /** What it calls the failure, where its clients act on it: `context_length_exceeded`. */
  readonly code?: string | undefined;
  /** What the failure is about in particular, where clients of the protocol read it. */
  readonly details?: JsonObject | undefined;
  /** How long it asks its callers to wait, where its body says so, in milliseconds. */
  readonly retryAfterMs?: number | undefined;
}
