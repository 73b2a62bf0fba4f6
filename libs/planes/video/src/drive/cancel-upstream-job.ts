import type { ClaimedTask } from '@mg/persistence/video';
import { errorMessage } from '@mg/runtime';
import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerContext } from '../worker-context.js';
import { askProvider, findJobContext } from './job-context.js';
import { pollProvider, jobOf } from './poll-task.js';
import { LEASE_SECONDS } from './step.js';

const CLAIM_TRIES = 10;
const CLAIM_AGAIN_MS = 200;
const CHECK_AGAIN_SECONDS = 1;

/** Calls off a task that waits at its provider. Whatever else the provider says, the task goes on. */
export async function cancelUpstreamJob(taskId: string, worker: WorkerContext): Promise<void> {
  const claimed = await claimImmediately(taskId, worker);
  if (!claimed) return;
  const { task } = claimed;
  const isCancelled =
    task.state === 'submitted' && (await worker.trace.step(task, 'cancel', () => tryCancel(claimed, worker)));
  if (!isCancelled) {
    await worker.store.release(claimed.claim, { nextRunSeconds: CHECK_AGAIN_SECONDS });
    return;
  }
  await worker.money.endTask({
    taskId,
    state: 'cancelled',
    error: { code: 'cancelled', message: 'The task was cancelled.' },
    note: 'cancelled by its owner, also at the provider',
  });
}

/** Another worker may be polling it just now. */
async function claimImmediately(taskId: string, worker: WorkerContext): Promise<ClaimedTask | undefined> {
  const options = { worker: worker.name, leaseSeconds: LEASE_SECONDS, evenEarly: true };
  for (let tries = 0; tries < CLAIM_TRIES; tries++) {
    const claimed = await worker.store.claim(taskId, options);
    if (claimed) return claimed;
    await sleep(CLAIM_AGAIN_MS);
  }
  return undefined;
}

/** Whether the provider has called the job off: it said so, and does not say otherwise when asked. */
async function tryCancel({ task }: ClaimedTask, worker: WorkerContext): Promise<boolean> {
  const context = await findJobContext(task, worker);
  if (!context || context === 'gone') return false;
  const { surface } = context.endpoint;
  if (!surface.cancel) return false;
  try {
    const reply = await askProvider(context, await surface.cancel(jobOf(task), context.call), worker);
    if (reply.status < 200 || reply.status >= 300) return false;
  } catch (error) {
    worker.logger.warn({ task: task.id, reason: errorMessage(error) }, 'upstream job could not be cancelled');
    return false;
  }
  const result = await pollProvider(task, context, worker);
  return result.kind === 'unclear' || (result.kind === 'ended' && result.state === 'cancelled');
}
