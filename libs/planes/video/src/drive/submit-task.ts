import { type Channel, GatewayError, type Task, type TaskError } from '@mg/contract';
import { findJobEndpoint, type JobEndpoint, type JobOrder, type JobRequest } from '@mg/providers';
import { type FailureKind, planAttempts } from '@mg/routing';
import { readRetryAfterMs, UpstreamFailure } from '@mg/transport';
import type { WorkerKit } from '../worker-kit.js';
import { cleanWords } from './clean-words.js';
import { fetchMedia } from './fetch-media.js';
import { askProvider, explain, type JobLine, layJobLine, nextKeyHash, readOrder } from './job-line.js';
import { nextPollSeconds } from './poll-pace.js';
import { CROWDED_SECONDS, type HeldTask, insist, LEASE_SECONDS, type StepOutcome } from './step.js';

/** A provider may take its time over an order that carries pictures; a channel may be given less. */
const LONGEST_SUBMIT_MS = 90_000;
/** After a submit of unknown fate, for those whose provider can be asked. */
const LOOK_FOR_IT_SECONDS = 5;

/** What came of one channel: the step's outcome, or a reason why the next one is tried. */
type Attempted = { readonly outcome: StepOutcome } | { readonly refused: TaskError };

/**
 * Submits a task to one channel after another, in the plan's order, until one takes it. The next is tried only when the
 * last has certainly not taken it: it refused, or nothing was sent. When nobody knows, nobody else is asked.
 */
export async function submitTask(held: HeldTask, kit: WorkerKit): Promise<StepOutcome> {
  const { task } = held;
  if (task.order === '') return endWithoutOrder(task, kit);
  let last: TaskError | undefined;
  for (const { channel, endpoint } of planSubmit(task, kit)) {
    if (!kit.gate.tryEnter(channel.id)) {
      await kit.store.giveBack(held.claim, { nextRunSeconds: CROWDED_SECONDS });
      return CROWDED_SECONDS;
    }
    try {
      const attempted = await tryChannel(held, channel, endpoint, kit);
      if ('outcome' in attempted) return attempted.outcome;
      last = attempted.refused;
    } finally {
      kit.gate.leave(channel.id);
    }
    if (last.status === 400 && last.code !== UNSUITED) break;
  }
  const error = last ?? {
    code: 'upstream_unavailable',
    message: 'No channel can take the task at the moment.',
    status: 503,
  };
  kit.metrics.submits.inc({ outcome: 'refused' });
  await kit.money.endTask({
    taskId: task.id,
    state: 'failed',
    from: ['created'],
    error: error.code === UNSUITED ? { ...error, code: 'invalid_request' } : error,
    note: `not submitted: ${error.message}`,
  });
  return 'done';
}

/** A gateway that did not hear of its task in time has taken the order away, and told its caller of a failure. */
async function endWithoutOrder(task: Task, kit: WorkerKit): Promise<StepOutcome> {
  await kit.money.endTask({
    taskId: task.id,
    state: 'cancelled',
    from: ['created'],
    note: 'its order was taken away before it was submitted',
  });
  return 'done';
}

const OVERLOADED = 503;
/** An order that one channel cannot do may be one that another can. */
const UNSUITED = 'unsuited';

function planSubmit(task: Task, kit: WorkerKit): { channel: Channel; endpoint: JobEndpoint }[] {
  const endpoints = new Map<Channel, JobEndpoint>();
  for (const channel of kit.catalog().channelsBySlug.get(task.model) ?? []) {
    const endpoint = findJobEndpoint(channel, channel.models.get(task.model) ?? task.model, task.face);
    if (endpoint) endpoints.set(channel, endpoint);
  }
  const { attempts } = planAttempts({
    slug: task.model,
    channels: [...endpoints.keys()],
    health: kit.health,
    random: Math.random,
  });
  return attempts.flatMap(({ channel }) => {
    const endpoint = endpoints.get(channel);
    return endpoint ? [{ channel, endpoint }] : [];
  });
}

async function tryChannel(
  { task, claim }: HeldTask,
  channel: Channel,
  endpoint: JobEndpoint,
  kit: WorkerKit,
): Promise<Attempted> {
  const upstreamModel = channel.models.get(task.model) ?? task.model;
  const keyHash = nextKeyHash(channel);
  const line = layJobLine(channel, endpoint, { id: task.id, upstreamModel, keyHash }, kit);
  const prepared = await prepareSubmit(task, line, kit);
  if ('refused' in prepared) return prepared;
  const attempt = { channelId: channel.id, channelName: channel.name, keyHash, upstreamModel };
  const leaseSeconds = limitSubmitMs(channel) / 1_000 + LEASE_SECONDS;
  if (!(await kit.store.markSubmitting(claim, attempt, leaseSeconds))) return { outcome: 'done' };
  return sendSubmit({ task, claim }, line, prepared.request, kit);
}

/** After this time no submit to the channel is under way, so that one whose worker was lost may be looked for. */
function limitSubmitMs({ timeouts }: Channel): number {
  return Math.min(timeouts.totalMs, LONGEST_SUBMIT_MS);
}

/** The request, with what it needs fetched and signed. Nothing has been sent to the provider if this fails. */
async function prepareSubmit(
  task: Task,
  line: JobLine,
  kit: WorkerKit,
): Promise<{ readonly request: JobRequest } | { readonly refused: TaskError }> {
  const { surface } = line.endpoint;
  try {
    const order = readOrder(task);
    const media = await fetchMedia(surface, order, kit);
    const request = await surface.submit(order, { ...line.call, media });
    refuseDropped(order, request, line.channel);
    return { request };
  } catch (error) {
    if (error instanceof GatewayError && error.code === 'invalid_request') {
      const { message, param } = error;
      const refused = { code: UNSUITED, message, status: 400, ...(param === undefined ? {} : { param }) };
      return { refused };
    }
    kit.logger.warn({ task: task.id, channel: line.channel.name, reason: explain(error) }, 'no submit made');
    return { refused: UNREACHABLE };
  }
}

/** @throws GatewayError `invalid_request` for callers who asked that nothing be left out. */
function refuseDropped(order: JobOrder, { dropped = [] }: JobRequest, { type }: Channel): void {
  if (order.face === 'native' || order.order.strict !== true || dropped.length === 0) return;
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
  held: HeldTask,
  line: JobLine,
  request: JobRequest,
  kit: WorkerKit,
): Promise<Attempted> {
  const { surface } = line.endpoint;
  let reply;
  try {
    reply = await askProvider(line, request, kit, limitSubmitMs(line.channel));
  } catch (error) {
    const isSure = error instanceof UpstreamFailure && error.kind === 'unreachable';
    if (!isSure) return { outcome: await noteUnknown(held, line, explain(error), kit) };
    return { refused: await noteRefused(held, line, { kind: 'unreachable' }, UNREACHABLE, kit) };
  }
  const verdict = surface.readSubmit(reply, line.call, readOrder(held.task));
  switch (verdict.kind) {
    case 'accepted':
      return { outcome: await noteAccepted(held, line, verdict.job, request.dropped, kit) };
    case 'unclear':
      return { outcome: await noteUnknown(held, line, verdict.message, kit) };
    case 'refused': {
      const retryAfterMs = readRetryAfterMs(reply.headers['retry-after'], Date.now());
      const fault = verdict.fault === 'caller' ? undefined : { kind: verdict.fault, retryAfterMs };
      return {
        refused: await noteRefused(
          held,
          line,
          fault,
          explainRefusal(verdict, reply.status, retryAfterMs),
          kit,
        ),
      };
    }
  }
}

async function noteAccepted(
  { task, claim }: HeldTask,
  line: JobLine,
  job: { readonly id: string; readonly data: Record<string, unknown> },
  dropped: readonly string[] | undefined,
  kit: WorkerKit,
): Promise<StepOutcome> {
  const nextRunSeconds = nextPollSeconds(line.endpoint.surface, { elapsedMs: 0, failures: 0 });
  const note = dropped && { note: `left out: ${dropped.join(', ')}` };
  const upstream = { id: job.id, data: dropped ? { ...job.data, dropped } : job.data };
  const isNoted = await insist(() => kit.store.noteSubmitted(claim, upstream, { nextRunSeconds, ...note }));
  kit.health.recordSuccess(line.channel.id, task.model);
  kit.metrics.submits.inc({ outcome: 'accepted' });
  if (!isNoted) {
    kit.logger.error(
      { task: task.id, job: job.id },
      'a job was made for a task that had ended meanwhile: the provider bills it',
    );
    return 'done';
  }
  await kit.money
    .chargeTask(task.id)
    .catch((error: unknown) =>
      kit.logger.warn({ task: task.id, reason: explain(error) }, 'to be charged at its next look'),
    );
  return nextRunSeconds;
}

async function noteUnknown(
  { task, claim }: HeldTask,
  line: JobLine,
  reason: string,
  kit: WorkerKit,
): Promise<StepOutcome> {
  kit.health.recordFailure(line.channel.id, task.model, 'broken');
  kit.metrics.submits.inc({ outcome: 'unknown' });
  kit.logger.warn({ task: task.id, channel: line.channel.name, reason }, 'a submit of unknown fate');
  const next = { nextRunSeconds: LOOK_FOR_IT_SECONDS, note: `nobody knows whether it arrived: ${reason}` };
  await insist(() => kit.store.noteSubmitUnknown(claim, next));
  return LOOK_FOR_IT_SECONDS;
}

/** What a refusal says of its channel. */
interface ChannelFault {
  readonly kind: FailureKind;
  readonly retryAfterMs?: number | undefined;
}

/** @param fault the channel's; `undefined` when it is the caller's. */
async function noteRefused(
  { task, claim }: HeldTask,
  { channel }: JobLine,
  fault: ChannelFault | undefined,
  error: TaskError,
  kit: WorkerKit,
): Promise<TaskError> {
  if (fault) kit.health.recordFailure(channel.id, task.model, fault.kind, fault.retryAfterMs);
  await insist(() =>
    kit.store.noteRefused(claim, `channel ${channel.name} refused: ${error.message}`, LEASE_SECONDS),
  );
  return error;
}

/** What the caller caused is told in the provider's words; trouble with our own account is not. */
function explainRefusal(
  verdict: {
    readonly fault: string;
    readonly code: string;
    readonly message: string;
    readonly param?: string;
  },
  status: number,
  retryAfterMs: number | undefined,
): TaskError {
  const { fault, param } = verdict;
  if (fault === 'caller') {
    const { code, message } = cleanWords(verdict);
    return { code, message, status: 400, ...(param === undefined ? {} : { param }) };
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
