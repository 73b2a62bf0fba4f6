import type { Task } from '@mg/contract';
import type { ClaimedTask } from '@mg/persistence/video';
import type { UpstreamJob } from '@mg/providers';
import { errorMessage } from '@mg/runtime';
import type { WorkerContext } from '../worker-context.js';
import { failOrphanedTask } from './fail-orphaned-task.js';
import { askProvider, findJobContext, fetchOrder, type JobContext } from './job-context.js';
import { nextPollSeconds } from './poll-pace.js';
import { isPastDeadline, LEASE_SECONDS, limitSubmitMs, type StepOutcome } from './step.js';

const RETRY_AFTER_SECONDS = 15;
/** Where the provider cannot be asked, the deadline alone ends the wait; a look now and then shows that it goes on. */
const WAIT_SECONDS = 60 * 60;
/** A provider's list may lag behind its jobs: sooner than this, "none" says nothing. */
const SURE_AFTER_MS = 60_000;

/**
 * Looks for the job of a submit whose outcome is unknown, where the provider keeps our reference. What is found goes on as
 * submitted; what was never made, for certain, may be submitted again; otherwise the task waits for its deadline.
 */
export async function findLostSubmit(claimed: ClaimedTask, worker: WorkerContext): Promise<StepOutcome> {
  const { task, claim } = claimed;
  const context = await findJobContext(task, worker);
  if (context === 'gone') return failOrphanedTask(task, worker);
  const found = context?.endpoint.surface.find ? await requestJob(claimed, context, worker) : 'unfindable';
  if (context && typeof found === 'object') {
    const nextRunSeconds = nextPollSeconds(context.endpoint.surface, { elapsedMs: 0, failures: 0 });
    await worker.store.noteSubmitted(claim, found, { nextRunSeconds, note: 'found at the provider' });
    await worker.money.chargeTask(task.id);
    return nextRunSeconds;
  }
  if (isPastDeadline(task)) return 'overdue';
  if (context && found === 'none' && isSure(task, context)) {
    await worker.store.noteRefused(claim, 'the provider has no such job', LEASE_SECONDS);
    await worker.store.release(claim, { nextRunSeconds: 0 });
    return 0;
  }
  const nextRunSeconds = found === 'unfindable' ? WAIT_SECONDS : RETRY_AFTER_SECONDS;
  await worker.store.noteSubmitUnknown(claim, { nextRunSeconds });
  return nextRunSeconds;
}

/**
 * Whether the provider would know the job by now, had it taken the request: it may have done so until the end of the time
 * that a submit has. By Postgres's clock, on which this poll was due. Without the time of the submit it cannot be certain.
 */
function isSure({ upstreamData: { submitting_since: since }, nextRunAt }: Task, { channel }: JobContext) {
  return typeof since === 'number' && nextRunAt - since > limitSubmitMs(channel) + SURE_AFTER_MS;
}

async function requestJob(
  { task }: ClaimedTask,
  context: JobContext,
  worker: WorkerContext,
): Promise<UpstreamJob | 'none' | 'unclear'> {
  const { surface } = context.endpoint;
  if (!surface.find || !surface.readFind) return 'unclear';
  try {
    const fetched = await fetchOrder(task, worker);
    if (!fetched) return 'unclear';
    const { order } = fetched;
    const reply = await askProvider(context, await surface.find(order, context.call), worker);
    return surface.readFind(reply, context.call, order);
  } catch (error) {
    worker.logger.warn({ task: task.id, reason: errorMessage(error) }, 'lookup of a lost submit failed');
    return 'unclear';
  }
}
