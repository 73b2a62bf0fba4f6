import type { AttemptPart, AttemptRow } from '@mg/contract';
import type { RefusalKind } from '@mg/providers';
import type { Attempt, FailureKind, Part } from '@mg/routing';
import type { WorkerContext } from '../worker-context.js';
import { redactUpstreamError } from './redact-upstream-error.js';

/** A submit that was sent. */
export interface SentAttempt {
  readonly attempt: Attempt;
  readonly part: Part;
  /** When it began, on the clock of the channels' health. */
  readonly startedMs: number;
  /** Until its answer was there, or it was given up. */
  readonly ms: number;
}

/** What a submit came to. */
export type SubmitEnd =
  | { readonly kind: 'accepted'; readonly status: number; readonly dropped?: readonly string[] | undefined }
  /** Nothing was made, for certain. */
  | {
      readonly kind: 'refused';
      readonly fault: RefusalKind | 'unreachable';
      readonly status?: number;
      readonly reason: string;
      readonly retryAfterMs?: number | undefined;
    }
  | { readonly kind: 'unknown'; readonly status?: number; readonly reason: string };

/**
 * Counts a submit as the gateway counts an attempt of a call: among the figures of its channel, model and key, and for what is known
 * of the channel. One for which its caller is at fault says nothing of the channel.
 *
 * @returns its line in the log.
 */
export function noteAttempt(sent: SentAttempt, end: SubmitEnd, worker: WorkerContext): AttemptRow {
  const { attempt, part, startedMs, ms } = sent;
  const row = { channel: attempt.channel.name, latency_ms: Math.round(ms) };
  const tallied: AttemptPart = { channelId: part.channelId, model: part.slug, key: part.key ?? '' };
  if (end.kind === 'accepted') {
    worker.attempts.noteServed(tallied, 'whole', ms);
    worker.health.recordSuccess(part, startedMs);
    const dropped = end.dropped ? `; dropped ${end.dropped.toString()}` : '';
    return { ...row, outcome: 'served', status: end.status, reason: attempt.reason + dropped };
  }
  const { message: reason } = redactUpstreamError({ code: '', message: end.reason });
  const { status } = end;
  const kind = end.kind === 'unknown' ? 'broken' : findFailure(end.fault);
  if (kind === undefined) worker.health.recordInconclusive(part);
  else {
    worker.attempts.noteFailed(tallied, { status, reason });
    const retryAfterMs = end.kind === 'refused' ? end.retryAfterMs : undefined;
    worker.health.recordFailure(part, { kind, reason, retryAfterMs });
  }
  const said = end.kind === 'unknown' ? `it is not known whether it arrived: ${reason}` : reason;
  return { ...row, outcome: 'failed', status: status ?? null, reason: [attempt.reason, said].join('; ') };
}

/** What a refusal says of its channel; `undefined` when it is the caller's, or that of whoever configured a loop. */
function findFailure(fault: RefusalKind | 'unreachable'): FailureKind | undefined {
  return fault === 'caller' || fault === 'loop' ? undefined : fault;
}
