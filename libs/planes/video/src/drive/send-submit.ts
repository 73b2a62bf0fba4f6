import { setImmediate } from 'node:timers/promises';
import { type AttemptRow, type Channel, GatewayError, omitUndefined, type TaskError } from '@mg/contract';
import type { ClaimedTask } from '@mg/persistence/video';
import type { RemixSource } from '@mg/protocols';
import type { JobOrder, JobReply, JobRequest, SubmitResult } from '@mg/providers';
import { errorMessage } from '@mg/runtime';
import { readRetryAfterMs, UpstreamFailure } from '@mg/transport';
import type { WorkerContext } from '../worker-context.js';
import { fetchOrderMedia } from './fetch-order-media.js';
import { askProvider, type FetchedOrder, type JobContext } from './job-context.js';
import { noteAttempt, type SentAttempt } from './note-attempt.js';
import { nextPollSeconds } from './poll-pace.js';
import { redactUpstreamError } from './redact-upstream-error.js';
import { LEASE_SECONDS, limitSubmitMs, retryUntilWritten, type StepOutcome } from './step.js';

/** After a submit of unknown outcome, for those whose provider can be asked. */
const LOOK_FOR_IT_SECONDS = 5;
const OVERLOADED = 503;
/** An order that one channel cannot do may be one that another can. */
export const UNSUITED = 'unsuited';
const UNREACHABLE: TaskError = {
  code: 'upstream_unavailable',
  message: 'The upstream cannot be reached.',
  status: 503,
};

/** A claimed task, and what it asks for. */
export interface Submission extends ClaimedTask, FetchedOrder {
  /** Ids of the channels that had as many tasks as they may have when its step began. */
  readonly full: ReadonlySet<string>;
}

/** What came of one channel: the step's outcome, or a reason why the next one is tried. */
export type Attempted =
  | { readonly outcome: StepOutcome }
  | {
      readonly refused: TaskError;
      /** Whether it was the key that was refused or limited, so that another one may be good. */
      readonly isOfKey?: boolean;
    };

/** A submit on its way. */
interface SentSubmit extends Submission, Pick<SentAttempt, 'attempt' | 'part'> {
  readonly context: JobContext;
  readonly request: JobRequest;
}

/** What a remix is made of; `undefined` for any other order. */
export function findRemixSource(order: JobOrder): RemixSource | undefined {
  return order.apiVariant === 'generic' ? order.order.remixOf : undefined;
}

/** The request, with what it needs fetched and signed. Nothing has been sent to the provider if this fails. */
export async function prepareSubmit(
  { task, order }: Submission,
  context: JobContext,
  worker: WorkerContext,
): Promise<{ readonly request: JobRequest } | { readonly refused: TaskError }> {
  const { surface } = context.endpoint;
  try {
    const media = await fetchOrderMedia(surface, order, worker);
    const request = await surface.submit(order, { ...context.call, media, pause: setImmediate });
    refuseDropped(order, request, context.channel);
    return { request };
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'invalid_request') {
      const { message, param } = error;
      const refused = omitUndefined({ code: UNSUITED, message, status: 400, param });
      return { refused };
    }
    worker.logger.warn(
      { task: task.id, channel: context.channel.name, reason: errorMessage(error) },
      'submit preparation failed',
    );
    return { refused: UNREACHABLE };
  }
}

/** @throws GatewayError `invalid_request` for callers who asked that nothing be left out. */
function refuseDropped(order: JobOrder, { dropped = [] }: JobRequest, { type }: Channel): void {
  if (order.apiVariant === 'native' || order.order.strict !== true || dropped.length === 0) return;
  throw new GatewayError(
    'invalid_request',
    `Channels of type ${type} cannot carry ${dropped.join(', ')}, and x-gateway-strict forbids leaving it out.`,
    { param: dropped[0] },
  );
}

/** Sends a submit whose task is marked as being submitted, and writes down what came of it. */
export async function sendSubmit(sent: SentSubmit, worker: WorkerContext): Promise<Attempted> {
  const { context, request, order } = sent;
  const beganMs = performance.now();
  const startedMs = worker.health.nowMs;
  const note = (end: Parameters<typeof noteAttempt>[1]) =>
    noteAttempt({ ...sent, startedMs, ms: performance.now() - beganMs }, end, worker);
  let reply: JobReply;
  try {
    reply = await askProvider(context, request, worker, limitSubmitMs(context.channel));
  } catch (error) {
    const reason = errorMessage(error);
    const isSure = error instanceof UpstreamFailure && error.kind === 'unreachable';
    if (!isSure) return noteUnknown(sent, reason, note({ kind: 'unknown', reason }), worker);
    const row = note({ kind: 'refused', fault: 'unreachable', reason });
    return noteRefused(sent, UNREACHABLE, row, worker);
  }
  const { status } = reply;
  const result = context.endpoint.surface.readSubmit(reply, context.call, order);
  switch (result.kind) {
    case 'accepted':
      return noteAccepted(sent, result.job, note({ kind: 'accepted', status, ...request }), worker);
    case 'unclear': {
      const { message: reason } = result;
      return noteUnknown(sent, reason, note({ kind: 'unknown', status, reason }), worker);
    }
    case 'refused': {
      const retryAfterMs = readRetryAfterMs(reply.headers['retry-after'], Date.now());
      const { fault } = result;
      const { message } = redactUpstreamError(result);
      const reason = `status ${status}: ${message}`;
      const row = note({ kind: 'refused', fault, status, reason, retryAfterMs });
      const isOfKey = fault === 'credential' || fault === 'limited';
      return {
        ...(await noteRefused(sent, explainRefusal(result, status, retryAfterMs), row, worker)),
        isOfKey,
      };
    }
  }
}

async function noteAccepted(
  { task, claim, context, request: { dropped } }: SentSubmit,
  job: { readonly id: string; readonly data: Record<string, unknown> },
  row: AttemptRow,
  worker: WorkerContext,
): Promise<Attempted> {
  const nextRunSeconds = nextPollSeconds(context.endpoint.surface, { elapsedMs: 0, failures: 0 });
  const note = dropped && { note: `left out: ${dropped.join(', ')}` };
  const upstream = { id: job.id, data: dropped ? { ...job.data, dropped } : job.data };
  const isNoted = await retryUntilWritten(() =>
    worker.store.noteSubmitted(claim, upstream, { nextRunSeconds, ...note }, row),
  );
  worker.metrics.submits.inc({ outcome: 'accepted' });
  if (!isNoted) {
    worker.logger.error(
      { task: task.id, job: job.id },
      'a job was made for a task that had ended meanwhile: the provider bills it',
    );
    return { outcome: 'done' };
  }
  await worker.money
    .chargeTask(task.id)
    .catch((error: unknown) =>
      worker.logger.warn({ task: task.id, reason: errorMessage(error) }, 'charge deferred to next poll'),
    );
  return { outcome: nextRunSeconds };
}

async function noteUnknown(
  { task, claim, context }: SentSubmit,
  reason: string,
  row: AttemptRow,
  worker: WorkerContext,
): Promise<Attempted> {
  worker.metrics.submits.inc({ outcome: 'unknown' });
  worker.logger.warn({ task: task.id, channel: context.channel.name, reason }, 'submit outcome unknown');
  const next = { nextRunSeconds: LOOK_FOR_IT_SECONDS, note: `it is not known whether it arrived: ${reason}` };
  await retryUntilWritten(() => worker.store.noteSubmitUnknown(claim, next, row));
  return { outcome: LOOK_FOR_IT_SECONDS };
}

async function noteRefused(
  { claim, context: { channel } }: SentSubmit,
  refused: TaskError,
  row: AttemptRow,
  worker: WorkerContext,
): Promise<Attempted> {
  const note = `channel ${channel.name} refused: ${refused.message}`;
  await retryUntilWritten(() => worker.store.noteRefused(claim, note, LEASE_SECONDS, row));
  return { refused };
}

/** Errors that the caller caused carry the provider's message; those of our own account do not. */
function explainRefusal(
  result: Extract<SubmitResult, { kind: 'refused' }>,
  status: number,
  retryAfterMs: number | undefined,
): TaskError {
  const { fault, param } = result;
  if (fault === 'caller') {
    const { code, message } = redactUpstreamError(result);
    return omitUndefined({ code, message, status: 400, param });
  }
  if (fault === 'loop') {
    return { code: 'loop_detected', message: redactUpstreamError(result).message, status: 508 };
  }
  const retryAfter = retryAfterMs === undefined ? {} : { retryAfter: Math.ceil(retryAfterMs / 1_000) };
  // A limit of our account is none of the caller's; that the provider itself is overloaded is its failure.
  return fault === 'limited' && status !== OVERLOADED
    ? {
        code: 'upstream_unavailable',
        message: 'The upstream is over its limit. Try again later.',
        status: 503,
        ...retryAfter,
      }
    : { code: 'upstream_error', message: 'The upstream refused the task.', status: 502, ...retryAfter };
}
