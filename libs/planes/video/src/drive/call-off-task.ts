import { setTimeout as sleep } from 'node:timers/promises';
import type { WorkerKit } from '../worker-kit.js';
import { askProvider, explain, findJobLine } from './job-line.js';
import { askForVerdict, jobOf } from './poll-task.js';
import { type HeldTask, LEASE_SECONDS } from './step.js';

const CLAIM_TRIES = 10;
const CLAIM_AGAIN_MS = 200;
const LOOK_AGAIN_SECONDS = 1;

/** Calls off a task that waits at its provider. Whatever else the provider says, the task goes on. */
export async function callOffTask(taskId: string, kit: WorkerKit): Promise<void> {
  const held = await claimSoon(taskId, kit);
  if (!held) return;
  const isCalledOff = held.task.state === 'submitted' && (await tryCallOff(held, kit));
  if (!isCalledOff) {
    await kit.store.giveBack(held.claim, { nextRunSeconds: LOOK_AGAIN_SECONDS });
    return;
  }
  await kit.money.endTask({
    taskId,
    state: 'cancelled',
    error: { code: 'cancelled', message: 'The task was cancelled.' },
    note: 'cancelled by its owner, called off at the provider',
  });
}

/** Another worker may be polling it just now. */
async function claimSoon(taskId: string, kit: WorkerKit): Promise<HeldTask | undefined> {
  const options = { worker: kit.worker, leaseSeconds: LEASE_SECONDS, evenEarly: true };
  for (let tries = 0; tries < CLAIM_TRIES; tries++) {
    const held = await kit.store.claim(taskId, options);
    if (held) return held;
    await sleep(CLAIM_AGAIN_MS);
  }
  return undefined;
}

/** Whether the provider has called the job off: it said so, and does not say otherwise when asked. */
async function tryCallOff({ task }: HeldTask, kit: WorkerKit): Promise<boolean> {
  const line = await findJobLine(task, kit);
  if (!line || line === 'gone') return false;
  const { surface } = line.endpoint;
  if (!surface.cancel) return false;
  try {
    const reply = await askProvider(line, await surface.cancel(jobOf(task), line.call), kit);
    if (reply.status < 200 || reply.status >= 300) return false;
  } catch (error) {
    kit.logger.warn({ task: task.id, reason: explain(error) }, 'a job could not be called off');
    return false;
  }
  const verdict = await askForVerdict(task, line, kit);
  return verdict.kind === 'unclear' || (verdict.kind === 'ended' && verdict.state === 'cancelled');
}
