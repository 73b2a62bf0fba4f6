import { setImmediate } from 'node:timers/promises';
import { type Channel, GatewayError, omitUndefined, type Task, type TaskError } from '@mg/contract';
import { findJobEndpoint, type JobEndpoint, type JobOrder, type JobRequest } from '@mg/providers';
import { type FailureKind, planAttempts } from '@mg/routing';
import { errorMessage } from '@mg/runtime';
import { readRetryAfterMs, UpstreamFailure } from '@mg/transport';
import type { WorkerContext } from '../worker-context.js';
import { redactUpstreamError } from './redact-upstream-error.js';
import type { TakenRates } from './channel-rates.js';
import { fetchOrderMedia } from './fetch-order-media.js';
import type { RemixSource } from '@mg/protocols';
import { askProvider, type JobContext, createJobContext, readOrder } from './job-context.js';
import { pinKeyHash } from './key-rotation.js';
import { nextPollSeconds } from './poll-pace.js';
import {
  CHANNEL_BUSY_SECONDS,
  type ClaimedTask,
  retryUntilWritten,
  LEASE_SECONDS,
  limitSubmitMs,
  type StepOutcome,
} from './step.js';

/** After a submit of unknown outcome, for those whose provider can be asked. */
const LOOK_FOR_IT_SECONDS = 5;

/** After Redis did not say whether a channel has room. */
const LIMITS_UNKNOWN_SECONDS = 2;

/** What came of one channel: the step's outcome, or a reason why the next one is tried. */
type Attempted = { readonly outcome: StepOutcome } | { readonly refused: TaskError };
/** One that is at its rates, for so long. */
type Full = { readonly waitSeconds: number };

/**
 * Submits a task to one channel after another, in the plan's order, until one takes it. The next is tried only when the
 * last has certainly not taken it: it refused, or nothing was sent. When the outcome is unknown, no other channel is asked.
 * A channel that is at its rates is passed over; the task waits for it where no other one takes it.
 */
export async function submitTask(claimed: ClaimedTask, worker: WorkerContext): Promise<StepOutcome> {
  const { task } = claimed;
  if (task.order === '') return endWithoutOrder(task, worker);
  const order = await readOrder(task);
  const remixOf = findRemixSource(order);
  let last: TaskError | undefined;
  let waitSeconds = Infinity;
  for (const { channel, endpoint } of planSubmit(task, remixOf, worker)) {
    if (!worker.gate.tryEnter(channel.id)) {
      await worker.store.release(claimed.claim, { nextRunSeconds: CHANNEL_BUSY_SECONDS });
      return CHANNEL_BUSY_SECONDS;
    }
    try {
      const attempted = await tryWithinRates({ ...claimed, order, remixOf }, channel, endpoint, worker);
      if ('outcome' in attempted) return attempted.outcome;
      if ('refused' in attempted) last = attempted.refused;
      else waitSeconds = Math.min(waitSeconds, attempted.waitSeconds);
    } finally {
      worker.gate.leave(channel.id);
    }
    if (last && isForEveryChannel(last)) break;
  }
  if (waitSeconds < Infinity && !(last && isForEveryChannel(last))) {
    await worker.store.release(claimed.claim, { nextRunSeconds: waitSeconds });
    return waitSeconds;
  }
  const error = last ?? {
    code: 'upstream_unavailable',
    message: 'No channel can take the task at the moment.',
    status: 503,
  };
  worker.metrics.submits.inc({ outcome: 'refused' });
  await worker.money.endTask({
    taskId: task.id,
    state: 'failed',
    from: ['created'],
    error: error.code === UNSUITED ? { ...error, code: 'invalid_request' } : error,
    note: `not submitted: ${error.message}`,
  });
  return 'done';
}

/**
 * Tries a channel that has room. What was taken of its rates is given back where nothing was sent: a task that the channel cannot carry
 * is tried again for as long as it waits for another one. Where limits cannot be asked, nothing is sent beyond them: the next channel
 * may have none.
 */
async function tryWithinRates(
  submission: Submission,
  channel: Channel,
  endpoint: JobEndpoint,
  worker: WorkerContext,
): Promise<Attempted | Full> {
  const warn = (error: unknown) => {
    const reason = errorMessage(error);
    worker.logger.warn({ channel: channel.name, reason }, 'the limits of a channel cannot be asked');
  };
  let taken: TakenRates;
  try {
    taken = await worker.rates.take(channel);
  } catch (error) {
    warn(error);
    return { waitSeconds: LIMITS_UNKNOWN_SECONDS };
  }
  if (taken.waitSeconds > 0) return taken;
  const { isSent, ...attempted } = await tryChannel(submission, channel, endpoint, worker);
  if (!isSent) await taken.giveBack().catch(warn);
  return attempted;
}

/** A gateway that did not hear of its task in time has taken the order away, and told its caller of a failure. */
async function endWithoutOrder(task: Task, worker: WorkerContext): Promise<StepOutcome> {
  await worker.money.endTask({
    taskId: task.id,
    state: 'cancelled',
    from: ['created'],
    note: 'its order was withdrawn before it was submitted',
  });
  return 'done';
}

const OVERLOADED = 503;
/** The order came back to a gateway that had sent it. */
const LOOP = 508;
/** An order that one channel cannot do may be one that another can. */
const UNSUITED = 'unsuited';

/** Whether another channel would fail too, or for a loop once more. */
function isForEveryChannel({ status, code }: TaskError): boolean {
  return status === LOOP || (status === 400 && code !== UNSUITED);
}

/** A remix goes to the channel that made its source, and to no other one. */
function planSubmit(
  task: Task,
  remixOf: RemixSource | undefined,
  worker: WorkerContext,
): { channel: Channel; endpoint: JobEndpoint }[] {
  const endpoints = new Map<Channel, JobEndpoint>();
  for (const channel of worker.catalog().channelsBySlug.get(task.model) ?? []) {
    const endpoint = findJobEndpoint(channel, channel.models.get(task.model) ?? task.model, task.apiVariant);
    const isMeant = !remixOf || (channel.id === remixOf.channelId && endpoint?.surface.remixes);
    if (endpoint && isMeant) endpoints.set(channel, endpoint);
  }
  const { attempts } = planAttempts({
    slug: task.model,
    channels: [...endpoints.keys()],
    health: worker.health,
    random: Math.random,
  });
  return attempts.flatMap(({ channel }) => {
    const endpoint = endpoints.get(channel);
    return endpoint ? [{ channel, endpoint }] : [];
  });
}

function findRemixSource(order: JobOrder): RemixSource | undefined {
  return order.apiVariant === 'generic' ? order.order.remixOf : undefined;
}

/** A claimed task, and what it asks for. */
interface Submission extends ClaimedTask {
  readonly order: JobOrder;
  readonly remixOf: RemixSource | undefined;
}

async function tryChannel(
  { task, claim, order, remixOf }: Submission,
  channel: Channel,
  endpoint: JobEndpoint,
  worker: WorkerContext,
): Promise<Attempted & { readonly isSent: boolean }> {
  const upstreamModel = channel.models.get(task.model) ?? task.model;
  const keyHash = remixOf ? pinKeyHash(channel, remixOf.keyHash) : worker.keys.nextHash(channel);
  const { id, hops } = task;
  const context = createJobContext(channel, endpoint, { id, hops, upstreamModel, keyHash }, worker);
  const prepared = await prepareSubmit({ task, order }, context, worker);
  if ('refused' in prepared) return { ...prepared, isSent: false };
  const attempt = { channelId: channel.id, channelName: channel.name, keyHash, upstreamModel };
  const leaseSeconds = limitSubmitMs(channel) / 1_000 + LEASE_SECONDS;
  if (!(await worker.store.markSubmitting(claim, attempt, leaseSeconds))) {
    return { outcome: 'done', isSent: false };
  }
  return { ...(await sendSubmit({ task, claim, order }, context, prepared.request, worker)), isSent: true };
}

/** The request, with what it needs fetched and signed. Nothing has been sent to the provider if this fails. */
async function prepareSubmit(
  { task, order }: { readonly task: Task; readonly order: JobOrder },
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

const UNREACHABLE: TaskError = {
  code: 'upstream_unavailable',
  message: 'The upstream cannot be reached.',
  status: 503,
};

async function sendSubmit(
  claimed: ClaimedTask & { readonly order: JobOrder },
  context: JobContext,
  request: JobRequest,
  worker: WorkerContext,
): Promise<Attempted> {
  const { surface } = context.endpoint;
  const startedMs = worker.health.nowMs;
  let reply;
  try {
    reply = await askProvider(context, request, worker, limitSubmitMs(context.channel));
  } catch (error) {
    const isSure = error instanceof UpstreamFailure && error.kind === 'unreachable';
    if (!isSure) return { outcome: await noteUnknown(claimed, context, errorMessage(error), worker) };
    return { refused: await noteRefused(claimed, context, { kind: 'unreachable' }, UNREACHABLE, worker) };
  }
  const result = surface.readSubmit(reply, context.call, claimed.order);
  switch (result.kind) {
    case 'accepted':
      worker.health.recordSuccess({ channelId: context.channel.id, slug: claimed.task.model }, startedMs);
      return { outcome: await noteAccepted(claimed, context, result.job, request.dropped, worker) };
    case 'unclear':
      return { outcome: await noteUnknown(claimed, context, result.message, worker) };
    case 'refused': {
      const retryAfterMs = readRetryAfterMs(reply.headers['retry-after'], Date.now());
      const { fault: kind } = result;
      const fault = kind === 'caller' || kind === 'loop' ? undefined : { kind, retryAfterMs };
      return {
        refused: await noteRefused(
          claimed,
          context,
          fault,
          explainRefusal(result, reply.status, retryAfterMs),
          worker,
        ),
      };
    }
  }
}

async function noteAccepted(
  { task, claim }: ClaimedTask,
  context: JobContext,
  job: { readonly id: string; readonly data: Record<string, unknown> },
  dropped: readonly string[] | undefined,
  worker: WorkerContext,
): Promise<StepOutcome> {
  const nextRunSeconds = nextPollSeconds(context.endpoint.surface, { elapsedMs: 0, failures: 0 });
  const note = dropped && { note: `left out: ${dropped.join(', ')}` };
  const upstream = { id: job.id, data: dropped ? { ...job.data, dropped } : job.data };
  const isNoted = await retryUntilWritten(() =>
    worker.store.noteSubmitted(claim, upstream, { nextRunSeconds, ...note }),
  );
  worker.metrics.submits.inc({ outcome: 'accepted' });
  if (!isNoted) {
    worker.logger.error(
      { task: task.id, job: job.id },
      'a job was made for a task that had ended meanwhile: the provider bills it',
    );
    return 'done';
  }
  await worker.money
    .chargeTask(task.id)
    .catch((error: unknown) =>
      worker.logger.warn({ task: task.id, reason: errorMessage(error) }, 'charge deferred to next poll'),
    );
  return nextRunSeconds;
}

async function noteUnknown(
  { task, claim }: ClaimedTask,
  context: JobContext,
  reason: string,
  worker: WorkerContext,
): Promise<StepOutcome> {
  worker.health.recordFailure({ channelId: context.channel.id, slug: task.model }, { kind: 'broken' });
  worker.metrics.submits.inc({ outcome: 'unknown' });
  worker.logger.warn({ task: task.id, channel: context.channel.name, reason }, 'submit outcome unknown');
  const next = { nextRunSeconds: LOOK_FOR_IT_SECONDS, note: `it is not known whether it arrived: ${reason}` };
  await retryUntilWritten(() => worker.store.noteSubmitUnknown(claim, next));
  return LOOK_FOR_IT_SECONDS;
}

/** What a refusal says of its channel. */
interface ChannelFault {
  readonly kind: FailureKind;
  readonly retryAfterMs?: number | undefined;
}

/** @param fault the channel's; `undefined` when it is the caller's, or that of whoever configured a loop. */
async function noteRefused(
  { task, claim }: ClaimedTask,
  { channel }: JobContext,
  fault: ChannelFault | undefined,
  error: TaskError,
  worker: WorkerContext,
): Promise<TaskError> {
  if (fault) worker.health.recordFailure({ channelId: channel.id, slug: task.model }, fault);
  await retryUntilWritten(() =>
    worker.store.noteRefused(claim, `channel ${channel.name} refused: ${error.message}`, LEASE_SECONDS),
  );
  return error;
}

/** Errors that the caller caused carry the provider's message; those of our own account do not. */
function explainRefusal(
  result: {
    readonly fault: string;
    readonly code: string;
    readonly message: string;
    readonly param?: string;
  },
  status: number,
  retryAfterMs: number | undefined,
): TaskError {
  const { fault, param } = result;
  if (fault === 'caller') {
    const { code, message } = redactUpstreamError(result);
    return omitUndefined({ code, message, status: 400, param });
  }
  if (fault === 'loop') {
    return { code: 'loop_detected', message: redactUpstreamError(result).message, status: LOOP };
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
