import type { Task } from '@mg/contract';
import type { ClaimedTask } from '@mg/persistence/video';
import type { WorkerContext } from '../worker-context.js';
import { findLostSubmit } from './find-lost-submit.js';
import { errorMessage } from '@mg/runtime';
import { pollTask } from './poll-task.js';
import { isPastDeadline, LEASE_SECONDS, type StepOutcome } from './step.js';
import { submitTask } from './submit-task.js';

/** After a step that failed for a reason of our own, such as billing that is away. */
const AGAIN_SECONDS = 2;

/**
 * Takes a task's next step: claims it, does what its state asks for, and writes down what came of it. A task that is not
 * due, has ended, or is another worker's, is left alone.
 *
 * @returns in how many seconds to look at it again; `undefined` when there is nothing more to do for this worker.
 */
export async function driveTask(taskId: string, worker: WorkerContext): Promise<number | undefined> {
  const claimed = await worker.store.claim(taskId, { worker: worker.name, leaseSeconds: LEASE_SECONDS });
  if (!claimed) return undefined;
  try {
    const { task } = claimed;
    const outcome = await worker.trace.step(
      task,
      nameStep(task),
      () => takeStep(claimed, worker),
      nameOutcome,
    );
    if (outcome === 'overdue') await expireTask(claimed, worker);
    return typeof outcome === 'number' ? outcome : undefined;
  } catch (error) {
    worker.logger.warn(
      { task: taskId, state: claimed.task.state, reason: errorMessage(error) },
      'task step failed',
    );
    await worker.store.release(claimed.claim, { nextRunSeconds: AGAIN_SECONDS });
    return AGAIN_SECONDS;
  }
}

/** What is done for a task in its state, as its trace calls it. */
function nameStep({ state }: Task): string {
  if (state === 'created') return 'submit';
  return state === 'submit_unknown' ? 'find' : 'poll';
}

function nameOutcome(outcome: StepOutcome): string {
  return typeof outcome === 'number' ? 'continues' : outcome;
}

async function takeStep(claimed: ClaimedTask, worker: WorkerContext): Promise<StepOutcome> {
  switch (claimed.task.state) {
    case 'created':
      return isPastDeadline(claimed.task) ? 'overdue' : submitTask(claimed, worker);
    case 'submit_unknown':
      return findLostSubmit(claimed, worker);
    case 'submitted':
    case 'running':
      return pollTask(claimed, worker);
    default:
      return 'done';
  }
}

/** The time of a task is over without a result: its owner has the money back, whatever the provider still does. */
async function expireTask({ task }: ClaimedTask, worker: WorkerContext): Promise<void> {
  await worker.money.endTask({
    taskId: task.id,
    state: 'expired',
    error: { code: 'expired', message: 'The video was not finished in time.' },
    note:
      task.state === 'submit_unknown' ? 'its submit could not be found at the provider' : 'no result in time',
  });
}
