import { sha256, type Task, type TaskError } from '@mg/contract';
import type { ClaimedTask } from '@mg/persistence/video';
import { findJobEndpoint, type JobEndpoint } from '@mg/providers';
import type { RemixSource } from '@mg/protocols';
import { type Attempt, type NamedKey, type Part, planAttempts } from '@mg/routing';
import { errorMessage } from '@mg/runtime';
import type { WorkerContext } from '../worker-context.js';
import type { TakenRates } from './channel-rates.js';
import { createJobContext, type FetchedOrder, fetchOrder, READ_AT_ONCE } from './job-context.js';
import { pinKey } from './pin-key.js';
import { nextRateSeconds, nextRoomSeconds } from './poll-pace.js';
import {
  type Attempted,
  findRemixSource,
  prepareSubmit,
  sendSubmit,
  type Submission,
  UNSUITED,
} from './send-submit.js';
import { CHANNEL_BUSY_SECONDS, LEASE_SECONDS, limitSubmitMs, type StepOutcome } from './step.js';

/** After Redis did not say whether a channel has room. */
const LIMITS_UNKNOWN_SECONDS = 2;
/** Keys of one channel that a task is submitted with, while one after another is refused or limited. */
const MOST_KEYS = 3;

/** A channel that a task may be submitted to. */
interface Planned {
  readonly attempt: Attempt;
  readonly endpoint: JobEndpoint;
}
/** One that is at its limits, for so long. */
type Full = { readonly waitSeconds: number };
/** What came of one channel; `skipped` where another task finds out whether it is back. */
type Tried = Attempted | Full | 'skipped';

/**
 * Submits a task to one channel after another, in the plan's order, until one takes it. The next is tried only when the
 * last has certainly not taken it: it refused, or nothing was sent. When the outcome is unknown, no other channel is asked.
 * A channel that is at its limits is passed over; the task waits for it where no other one takes it. An order that may be megabytes is
 * not read for as long as there is no room for it; a short one is, since it may be that of a remix, for which one channel alone will do.
 */
export async function submitTask(claimed: ClaimedTask, worker: WorkerContext): Promise<StepOutcome> {
  const { task, orderBytes } = claimed;
  if (orderBytes === undefined) return endWithoutOrder(task, worker);
  const anyOf = planSubmit(task, undefined, worker);
  const isBusy = ({ attempt }: Planned) => !worker.gate.hasRoom(attempt.channel.id);
  if (anyOf.length > 0 && anyOf.every(isBusy)) return putOff(claimed, CHANNEL_BUSY_SECONDS, worker);
  const short = orderBytes <= READ_AT_ONCE ? await fetchOrder(task, worker) : undefined;
  const possible = short ? planFor(short, task, anyOf, worker) : anyOf;
  const full = await findFull(possible, worker);
  const next = possible.find(({ attempt }) => !full.has(attempt.channel.id));
  if (possible.length > 0 && !next) return putOff(claimed, waitForRoom(), worker);
  if (next && isBusy(next)) return putOff(claimed, CHANNEL_BUSY_SECONDS, worker);
  const fetched = short ?? (await fetchOrder(task, worker));
  // It has ended meanwhile.
  if (!fetched) return 'done';
  const plan = short ? possible : planFor(fetched, task, anyOf, worker);
  return submitTo(plan, { ...claimed, ...fetched, full }, worker);
}

function planFor(
  { order }: FetchedOrder,
  task: Task,
  anyOf: readonly Planned[],
  worker: WorkerContext,
): readonly Planned[] {
  const remixOf = findRemixSource(order);
  return remixOf ? planSubmit(task, remixOf, worker) : anyOf;
}

async function submitTo(
  plan: readonly Planned[],
  submission: Submission,
  worker: WorkerContext,
): Promise<StepOutcome> {
  const { task } = submission;
  let last: TaskError | undefined;
  let waitSeconds = Infinity;
  for (const [index, planned] of plan.entries()) {
    const { channel } = planned.attempt;
    if (submission.full.has(channel.id)) {
      waitSeconds = Math.min(waitSeconds, waitForRoom());
      continue;
    }
    if (!worker.gate.tryEnter(channel.id)) return putOff(submission, CHANNEL_BUSY_SECONDS, worker);
    try {
      const tried = await tryKeys(submission, planned, index === plan.length - 1, worker);
      if (tried === 'skipped') continue;
      if ('outcome' in tried) return tried.outcome;
      if ('refused' in tried) last = tried.refused;
      else waitSeconds = Math.min(waitSeconds, tried.waitSeconds);
    } finally {
      worker.gate.leave(channel.id);
    }
    if (last && isForEveryChannel(last)) break;
  }
  if (waitSeconds < Infinity && !(last && isForEveryChannel(last))) {
    return putOff(submission, waitSeconds, worker);
  }
  return endRefused(task, last, worker);
}

async function putOff(
  { claim }: Pick<ClaimedTask, 'claim'>,
  nextRunSeconds: number,
  worker: WorkerContext,
): Promise<StepOutcome> {
  await worker.store.release(claim, { nextRunSeconds });
  return nextRunSeconds;
}

function waitForRoom(): number {
  return nextRoomSeconds(Math.random());
}

/** For a rate that is used up, a long order is not fetched often, and the more seldom the longer it waits. */
function waitForRate({ task, isLong }: Submission, seconds: number): number {
  return isLong
    ? Math.max(seconds, nextRateSeconds(task.nextRunAt - task.createdAt, Math.random()))
    : seconds;
}

/** Looked at before anything is read for a task or taken for it; what counts is decided with the submit. */
async function findFull(plan: readonly Planned[], worker: WorkerContext): Promise<ReadonlySet<string>> {
  const full = new Set<string>();
  for (const { attempt } of plan) {
    const { id, limits } = attempt.channel;
    const most = limits?.limits.concurrency;
    if (most !== undefined && (await worker.store.countAtChannel(id)) >= most) full.add(id);
  }
  return full;
}

async function endRefused(
  task: Task,
  last: TaskError | undefined,
  worker: WorkerContext,
): Promise<StepOutcome> {
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

/** The order came back to a gateway that had sent it. */
const LOOP = 508;

/** Whether another channel would fail too, or for a loop once more. */
function isForEveryChannel({ status, code }: TaskError): boolean {
  return status === LOOP || (status === 400 && code !== UNSUITED);
}

/** A remix goes to the channel that made its source, and to no other one. */
function planSubmit(task: Task, remixOf: RemixSource | undefined, worker: WorkerContext): Planned[] {
  const endpoints = new Map<string, JobEndpoint>();
  const channels = (worker.catalog().channelsBySlug.get(task.model) ?? []).filter((channel) => {
    const endpoint = findJobEndpoint(channel, channel.models.get(task.model) ?? task.model, task.apiVariant);
    const isMeant = !remixOf || (channel.id === remixOf.channelId && endpoint?.surface.remixes);
    if (endpoint && isMeant) endpoints.set(channel.id, endpoint);
    return endpoint && isMeant;
  });
  const { attempts } = planAttempts({
    slug: task.model,
    channels,
    health: worker.health,
    keysOf: (channel) => worker.keys.namesOf(channel),
    random: Math.random,
  });
  return attempts.flatMap((attempt) => {
    const endpoint = endpoints.get(attempt.channel.id);
    return endpoint ? [{ attempt, endpoint }] : [];
  });
}

/** Tries a channel, and once more with each of its other keys while one after another is refused or limited. */
async function tryKeys(
  submission: Submission,
  planned: Planned,
  isLast: boolean,
  worker: WorkerContext,
): Promise<Tried> {
  let tried = await tryOnce(submission, planned, isLast, worker);
  for (let keys = 1; keys < MOST_KEYS; keys++) {
    if (tried === 'skipped' || !('refused' in tried) || !tried.isOfKey) break;
    if (!hasOtherKey(submission, planned.attempt, worker)) break;
    const reason = `${planned.attempt.reason}, with another key`;
    const again = { ...planned, attempt: { ...planned.attempt, reason } };
    const next = await tryOnce(submission, again, isLast, worker);
    if (next === 'skipped' || 'waitSeconds' in next) break;
    tried = next;
  }
  return tried;
}

/** A remix is made with the key that made its source. */
function hasOtherKey(
  { order }: Submission,
  { channel, slug }: Attempt,
  { keys, health }: WorkerContext,
): boolean {
  if (channel.apiKeys.length < 2 || findRemixSource(order)) return false;
  return keys.namesOf(channel).some((key) => health.isUsable({ channelId: channel.id, slug, key }));
}

async function tryOnce(
  submission: Submission,
  planned: Planned,
  isLast: boolean,
  worker: WorkerContext,
): Promise<Tried> {
  const { attempt } = planned;
  const { channel, slug } = attempt;
  const key = chooseKey(submission, attempt, worker);
  const part: Part = { channelId: channel.id, slug, key: key?.name };
  const admission = worker.health.admit(part);
  if (admission === 'wait' && !isLast) return 'skipped';
  const reason = admission === 'probe' ? `${attempt.reason}, a probe` : attempt.reason;
  const opened = { ...planned, attempt: { ...attempt, reason }, key, part };
  let isShown = false;
  try {
    const { isSent, ...tried } = await tryWithinLimits(submission, opened, worker);
    isShown = isSent;
    return tried;
  } finally {
    // A probe that is under way belongs to another task.
    if (!isShown && admission !== 'wait') worker.health.recordInconclusive(part);
  }
}

function chooseKey(
  { order }: Submission,
  attempt: Attempt,
  { keys, health }: WorkerContext,
): NamedKey | undefined {
  const remixOf = findRemixSource(order);
  if (!remixOf) return keys.choose(attempt, health);
  const apiKey = pinKey(attempt.channel, remixOf.keyHash);
  return apiKey === undefined ? undefined : { apiKey, name: keys.nameOf(attempt.channel, apiKey) ?? '' };
}

/** A channel, and the key that it is asked with. */
interface Opened extends Planned {
  readonly key: NamedKey | undefined;
  readonly part: Part;
}

/**
 * Tries a channel that has room. What was taken of its rates is given back where nothing was sent: a task that the channel cannot carry
 * is tried again for as long as it waits for another one. Where limits cannot be asked, nothing is sent beyond them: the next channel
 * may have none.
 */
async function tryWithinLimits(
  submission: Submission,
  opened: Opened,
  worker: WorkerContext,
): Promise<(Attempted | Full) & { readonly isSent: boolean }> {
  const { channel } = opened.attempt;
  const warn = (error: unknown) => {
    const reason = errorMessage(error);
    worker.logger.warn({ channel: channel.name, reason }, 'the limits of a channel cannot be asked');
  };
  let taken: TakenRates;
  try {
    taken = await worker.rates.take(channel);
  } catch (error) {
    warn(error);
    return { waitSeconds: waitForRate(submission, LIMITS_UNKNOWN_SECONDS), isSent: false };
  }
  if (taken.waitSeconds > 0)
    return { waitSeconds: waitForRate(submission, taken.waitSeconds), isSent: false };
  const tried = await tryChannel(submission, opened, worker);
  if (!tried.isSent) await taken.giveBack().catch(warn);
  return tried;
}

async function tryChannel(
  submission: Submission,
  { attempt, endpoint, key, part }: Opened,
  worker: WorkerContext,
): Promise<(Attempted | Full) & { readonly isSent: boolean }> {
  const { channel, upstreamModel } = attempt;
  const { id, hops } = submission.task;
  const keyHash = key && sha256(key.apiKey);
  const context = createJobContext(channel, endpoint, { id, hops, upstreamModel, keyHash }, worker);
  const prepared = await prepareSubmit(submission, context, worker);
  if ('refused' in prepared) return { ...prepared, isSent: false };
  const marked = await worker.store.markSubmitting(
    submission.claim,
    { channelId: channel.id, channelName: channel.name, keyHash, upstreamModel },
    limitSubmitMs(channel) / 1_000 + LEASE_SECONDS,
    channel.limits?.limits.concurrency,
  );
  if (marked === 'full') return { waitSeconds: waitForRoom(), isSent: false };
  if (!marked) return { outcome: 'done', isSent: false };
  const sent = { ...submission, attempt, part, context, request: prepared.request };
  return { ...(await sendSubmit(sent, worker)), isSent: true };
}
