import { GatewayError, type WasteReason } from '@mg/contract';
import { isContentRefusal, isContextOverflow, type UpstreamError } from '@mg/protocols';
import type { FailureKind } from '@mg/routing';
import { scrubSecrets } from '@mg/runtime';
import type { UpstreamFailure } from '@mg/transport';
import { findBlame, OF_THE_REQUEST } from './find-blame.js';

/** A failed attempt: the error for the caller if no other channel answers, and what it means for the channel's health. */
export interface Fault {
  readonly error: GatewayError;
  /** `undefined` when the caller caused it: another channel would refuse too, and no channel is to blame. */
  readonly kind: FailureKind | undefined;
  /** Whether another channel may answer what this one would not. */
  readonly mayGoOn: boolean;
  readonly retryAfterMs: number | undefined;
  /** For the log: how the try ended. */
  readonly reason: string;
  readonly status: number | undefined;
  /** Why the upstream may bill the attempt all the same, if it was sent. */
  readonly wasted: WasteReason | undefined;
  /** What another model may be tried for, although the upstream found fault with the request. */
  readonly cause?: 'context' | 'refusal' | undefined;
  /** Whether the upstream does not know what it was asked to go on from: nobody is at fault, and it can be asked without. */
  readonly isForgotten?: boolean;
  /** Whether the gateway called it off, since another channel answered sooner. */
  readonly isCancelled?: boolean;
}

const MAX_MESSAGE = 512;
/** Characters of a message that are looked at. */
const MAX_READ = 16 * MAX_MESSAGE;
const FORBIDDEN = 403;
const FLAGGED = /\b(input|prompt|content) (was|has been|is) flagged\b/i;
const LIMITED = new Set([429, 529]);
const LATE: ReadonlySet<UpstreamFailure['kind']> = new Set(['timeout', 'deadline']);
const FAILED = 500;
/** Failures of an upstream that had not begun to work: it bills nothing. */
const UNBILLED = new Set([501, 503]);
/** A gateway behind us found that the call came through it before. No channel is to blame: the configuration is. */
const LOOP = 508;

/** A call that ended without an answer: nothing sent is 503, everything after that 502. */
export function classifyFailure(failure: UpstreamFailure): Fault {
  const unreachable = failure.kind === 'unreachable';
  return {
    error: unreachable
      ? new GatewayError('upstream_unavailable', 'The upstream cannot be reached.', { cause: failure })
      : new GatewayError('upstream_error', `The upstream failed: ${failure.message}.`, { cause: failure }),
    kind: unreachable ? 'unreachable' : 'broken',
    mayGoOn: true,
    retryAfterMs: undefined,
    reason: failure.message,
    status: undefined,
    wasted: unreachable ? undefined : LATE.has(failure.kind) ? 'timed_out' : 'failed',
  };
}

/**
 * An answer that broke off after it had begun to go out. How long it goes on is its caller's choice, so one that was still coming
 * when the whole time of the call was over says nothing of the channel.
 */
export function classifyBrokenOff(failure: UpstreamFailure): Fault {
  const fault = classifyFailure(failure);
  return failure.kind === 'deadline' ? { ...fault, kind: undefined } : fault;
}

/**
 * An answer with a failing status. Trouble with our own account never reaches the caller as theirs. What is about something of
 * the caller's that this upstream alone does not have, as a file, says nothing of the channel, and another one may have it.
 */
export function classifyStatus(
  status: number,
  upstream: UpstreamError,
  retryAfterMs: number | undefined,
): Fault {
  const said = upstream.message === undefined ? undefined : redactUpstreamError(upstream.message);
  const reason = `status ${status}${said === undefined ? '' : `: ${said}`}`;
  const cause = findCause(status, upstream.message);
  const blame = findBlame(status, upstream);
  if (LIMITED.has(status)) return classifyLimited(status, retryAfterMs, reason);
  if (blame === 'caller' || cause === 'refusal') {
    return {
      error: new GatewayError('invalid_request', said ?? 'The upstream refused the request.', {
        param: upstream.param,
        upstreamStatus: status,
        upstreamCode: cause === 'context' ? OVERFLOW : readCode(upstream.code),
        details: redactDetails(upstream.details),
      }),
      kind: undefined,
      mayGoOn: !OF_THE_REQUEST.has(status) && cause === undefined,
      retryAfterMs: undefined,
      reason,
      status,
      wasted: undefined,
      cause,
    };
  }
  if (status === LOOP) {
    return {
      error: new GatewayError('loop_detected', said ?? 'The call came back to a gateway that had sent it.', {
        upstreamStatus: status,
      }),
      kind: undefined,
      mayGoOn: false,
      retryAfterMs: undefined,
      reason,
      status,
      wasted: undefined,
    };
  }
  return {
    error: new GatewayError('upstream_error', `The upstream answered with status ${status}.`, {
      upstreamStatus: status,
    }),
    kind: blame === 'key' ? 'credential' : 'broken',
    mayGoOn: true,
    retryAfterMs: undefined,
    reason,
    status,
    wasted: status >= FAILED && !UNBILLED.has(status) ? 'failed' : undefined,
  };
}

function classifyLimited(status: number, retryAfterMs: number | undefined, reason: string): Fault {
  return {
    error: new GatewayError('upstream_unavailable', 'The upstream is over its rate limit. Try again later.', {
      upstreamStatus: status,
      retryAfter: retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs / 1_000),
    }),
    kind: 'limited',
    mayGoOn: true,
    retryAfterMs,
    reason,
    status,
    wasted: undefined,
  };
}

/** What is said of content with a 403, as moderation before the model does, says nothing of our credential. */
function findCause(status: number, message = ''): Fault['cause'] {
  if (status === FORBIDDEN) return FLAGGED.test(message) ? 'refusal' : undefined;
  if (!OF_THE_REQUEST.has(status)) return undefined;
  if (isContextOverflow(message)) return 'context';
  return isContentRefusal(message) ? 'refusal' : undefined;
}

/** A whole answer that is nothing but a refusal of the content, where another model may be tried. */
export function classifyRefusedContent(): Fault {
  return {
    error: new GatewayError('invalid_request', 'The model refused the content.', { upstreamStatus: 200 }),
    kind: undefined,
    mayGoOn: false,
    retryAfterMs: undefined,
    reason: 'the model refused the content',
    status: 200,
    wasted: 'failed',
    cause: 'refusal',
  };
}

/** A 200 that is no answer: garbage, an empty body, an error in its first event. */
export function classifyGarbage(problem: string): Fault {
  return {
    error: new GatewayError('upstream_error', `The upstream failed: ${problem.replace(/\.$/, '')}.`, {
      upstreamStatus: 200,
    }),
    kind: 'broken',
    mayGoOn: true,
    retryAfterMs: undefined,
    reason: problem,
    status: 200,
    wasted: 'failed',
  };
}

/** Said when the call may hold no more memory: no other channel helps. */
const NO_ROOM: ReadonlySet<string> = new Set(['rate_limited', 'service_unavailable']);

/** What a channel's protocol cannot carry: no fault of the channel, and another may speak one that can. */
export function classifyRefusal(error: GatewayError): Fault {
  return {
    error,
    kind: undefined,
    mayGoOn: !NO_ROOM.has(error.code),
    retryAfterMs: undefined,
    reason: error.message,
    status: undefined,
    wasted: 'failed',
  };
}

/** What OpenAI's clients know it as, whichever provider found a prompt too long. */
const OVERFLOW = 'context_length_exceeded';
const CODE = /^[\w.-]{1,64}$/;
const MAX_DETAILS = 4_096;

function readCode(code: string | undefined): string | undefined {
  return code !== undefined && CODE.test(code) ? code : undefined;
}

/** Details for a caller: bounded, and without credentials. */
function redactDetails(details: UpstreamError['details']): UpstreamError['details'] {
  if (details === undefined) return undefined;
  const json = JSON.stringify(details);
  return json.length <= MAX_DETAILS && scrubSecrets(json) === json ? details : undefined;
}

/** The gateway called an attempt off: another channel has answered. */
export function classifyCancelled(): Fault {
  return {
    error: new GatewayError('upstream_unavailable', 'Another channel answered sooner.'),
    kind: undefined,
    mayGoOn: true,
    retryAfterMs: undefined,
    reason: 'cancelled: another channel answered sooner',
    status: undefined,
    wasted: 'hedged',
    isCancelled: true,
  };
}

/** An upstream's error message for callers and logs: one line, bounded, credentials redacted. */
export function redactUpstreamError(message: string): string {
  return scrubSecrets(message.slice(0, MAX_READ)).replaceAll(/\s+/g, ' ').trim().slice(0, MAX_MESSAGE);
}
