import type { Task } from '@mg/contract';
import type { UpstreamJob } from '@mg/providers';
import type { WorkerKit } from '../worker-kit.js';
import { endAlone } from './end-alone.js';
import { askProvider, explain, findJobLine, type JobLine, readOrder } from './job-line.js';
import { nextPollSeconds } from './poll-pace.js';
import { type HeldTask, isPastDeadline, LEASE_SECONDS, type StepOutcome } from './step.js';

const ASK_AGAIN_SECONDS = 15;
/** Where the provider cannot be asked, the deadline alone ends the wait; a look now and then shows that it goes on. */
const WAIT_SECONDS = 60 * 60;
/** A provider's list may lag behind its jobs: sooner than this, "none" says nothing. */
const SURE_AFTER_MS = 60_000;

/**
 * Looks for the job of a submit whose fate is unknown, where the provider keeps our reference. What is found goes on as
 * submitted; what was never made, for certain, may be submitted again; otherwise the task waits for its deadline.
 */
export async function findLostSubmit(held: HeldTask, kit: WorkerKit): Promise<StepOutcome> {
  const { task, claim } = held;
  const line = await findJobLine(task, kit);
  if (line === 'gone') return endAlone(task, kit);
  const found = line?.endpoint.surface.find ? await askForJob(held, line, kit) : 'unfindable';
  if (line && typeof found === 'object') {
    const nextRunSeconds = nextPollSeconds(line.endpoint.surface, { elapsedMs: 0, failures: 0 });
    await kit.store.noteSubmitted(claim, found, { nextRunSeconds, note: 'found at the provider' });
    await kit.money.chargeTask(task.id);
    return nextRunSeconds;
  }
  if (isPastDeadline(task)) return 'overdue';
  if (found === 'none' && Date.now() - submittedSince(task) > SURE_AFTER_MS) {
    await kit.store.noteRefused(claim, 'the provider has no such job', LEASE_SECONDS);
    await kit.store.giveBack(claim, { nextRunSeconds: 0 });
    return 0;
  }
  const nextRunSeconds = found === 'unfindable' ? WAIT_SECONDS : ASK_AGAIN_SECONDS;
  await kit.store.noteSubmitUnknown(claim, { nextRunSeconds });
  return nextRunSeconds;
}

/** When the request left: a task may have queued for long before. One that an older worker submitted tells its creation only. */
function submittedSince({ upstreamData: { submitting_since: since }, createdAt }: Task): number {
  return typeof since === 'number' ? since : createdAt;
}

async function askForJob(
  { task }: HeldTask,
  line: JobLine,
  kit: WorkerKit,
): Promise<UpstreamJob | 'none' | 'unclear'> {
  const { surface } = line.endpoint;
  if (!surface.find || !surface.readFind) return 'unclear';
  try {
    const order = readOrder(task);
    const reply = await askProvider(line, await surface.find(order, line.call), kit);
    return surface.readFind(reply, line.call, order);
  } catch (error) {
    kit.logger.warn({ task: task.id, reason: explain(error) }, 'a lost submit could not be looked for');
    return 'unclear';
  }
}
