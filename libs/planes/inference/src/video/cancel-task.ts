import { type CallerToken, GatewayError, isTaskEnd, type Task } from '@mg/contract';
import { findJobEndpoint } from '@mg/providers';
import type { Kit } from '../kit.js';
import { findTask, readTasks } from './show-tasks.js';

/** How long a caller waits for the provider to call off a job. */
const CANCELLED_WITHIN_MS = 5_000;

/**
 * What the native API does on DELETE: a task that waits is cancelled and its money comes back, one that has ended is
 * removed from its owner's sight, one that runs is refused.
 *
 * @throws GatewayError `task_not_found`, `conflict` for a task that cannot be cancelled now, `service_unavailable`.
 */
export async function cancelTask(caller: CallerToken, id: string, kit: Kit): Promise<Record<string, never>> {
  const task = await findTask(caller, id, 'native', kit);
  if (isTaskEnd(task.state)) {
    await readTasks(() => kit.video.tasks.hide(caller.walletId, id));
    return {};
  }
  if (task.state === 'created' && (await endUnsubmitted(task, kit))) return {};
  if (task.state === 'submitted' && (await canCallOff(task, kit))) {
    const ended = await callOff(task, kit);
    if (ended?.state === 'cancelled') return {};
  }
  throw new GatewayError(
    'conflict',
    task.state === 'running'
      ? 'The task is running and cannot be cancelled any more.'
      : 'The task cannot be cancelled at the moment.',
    { param: 'task_id' },
  );
}

async function endUnsubmitted(task: Task, kit: Kit): Promise<boolean> {
  const outcome = await kit.video.money.endTask({
    taskId: task.id,
    state: 'cancelled',
    from: ['created'],
    note: 'cancelled by its owner before it was submitted',
  });
  return outcome.state === 'cancelled';
}

async function canCallOff(task: Task, kit: Kit): Promise<boolean> {
  if (task.channelId === undefined) return false;
  const channel = await readTasks(() => kit.video.findChannel(task.channelId ?? ''));
  const endpoint = channel && findJobEndpoint(channel, task.upstreamModel ?? '', task.face);
  return endpoint?.surface.cancel !== undefined;
}

/** Asks a worker to call the job off, and waits for what comes of it. */
async function callOff(task: Task, kit: Kit): Promise<Task | undefined> {
  const watch = kit.video.verdicts.watch(task.id);
  try {
    if (!(await kit.video.waker.cancel(task.id))) return undefined;
    const deadline = performance.now() + CANCELLED_WITHIN_MS;
    for (;;) {
      await watch.news(deadline - performance.now());
      const found = await readTasks(() => kit.video.tasks.find(task.walletId, task.publicId));
      // The news may be that of its submit, which came before.
      if (found?.state !== 'submitted' || performance.now() >= deadline) return found;
    }
  } finally {
    watch.stop();
  }
}
