import { isObject, parseObject } from '@mg/protocols';
import type { BatchAnswer } from '@mg/transport';

/** What becomes of a line after an answer of the gateway, or without one. */
export type Verdict =
  | { readonly kind: 'succeeded' | 'failed' }
  /** Its key has met a limit: no line of the batch is sent for so long. */
  | { readonly kind: 'pause'; readonly seconds: number }
  /** Sent again after so long. */
  | { readonly kind: 'retry'; readonly seconds: number; readonly isKnown: boolean };

/** Tries of a line that upstreams fail. */
const MAX_FAILURES = 5;
/** Tries of a line while the gateway cannot work, or cannot be reached: some hours. */
const MAX_UNAVAILABLE = 500;
/** Longer than any error of the gateway. */
const MAX_ERROR_BYTES = 256 * 1024;
/** Of a pause, whatever an answer asks for. */
const LONGEST_PAUSE_SECONDS = 60;

/**
 * Judges what a line was answered.
 *
 * @param answer with its body, as JSON; `undefined` where the gateway could not be reached or broke off.
 * @param attempt which try it was, from 1 on.
 */
export function judgeAnswer(
  answer: (Pick<BatchAnswer, 'status' | 'retryAfterSeconds'> & { readonly body: Buffer }) | undefined,
  attempt: number,
): Verdict {
  if (!answer) return retryUnavailable(attempt);
  const { status, retryAfterSeconds, body } = answer;
  if (status >= 200 && status < 300) return { kind: 'succeeded' };
  const code = readCode(body);
  // A budget or a quota that is used up is no limit that a minute helps against.
  if (status === 408 || (status === 429 && code !== 'budget_exceeded' && code !== 'quota_exceeded')) {
    return { kind: 'pause', seconds: Math.min(Math.max(retryAfterSeconds ?? 1, 1), LONGEST_PAUSE_SECONDS) };
  }
  if (status < 500 || status === 508) return { kind: 'failed' };
  if (code === 'service_unavailable') return retryUnavailable(attempt);
  // A call that failed is not charged, and its Idempotency-Key is free again.
  if (attempt >= MAX_FAILURES) return { kind: 'failed' };
  return { kind: 'retry', seconds: backOff(attempt), isKnown: true };
}

function retryUnavailable(attempt: number): Verdict {
  if (attempt >= MAX_UNAVAILABLE) return { kind: 'failed' };
  return { kind: 'retry', seconds: backOff(attempt), isKnown: false };
}

/** 1 s, 2 s, 4 s, up to a minute. */
function backOff(attempt: number): number {
  return Math.min(2 ** Math.min(attempt - 1, 10), LONGEST_PAUSE_SECONDS);
}

/** The gateway's own name of a failure, which stands in every dialect's errors. */
function readCode(body: Buffer): unknown {
  if (body.length > MAX_ERROR_BYTES) return undefined;
  const detail = parseObject(body.toString())?.detail;
  return isObject(detail) ? detail.code : undefined;
}
