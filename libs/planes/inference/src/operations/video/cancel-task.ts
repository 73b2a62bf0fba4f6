import { type CallerToken, GatewayError, isTaskEnd, type Task } from '@mg/contract';
import { findJobEndpoint } from '@mg/providers';
import type { VideoGateway } from './video-context.js';
import { findTask, readTasks } from './show-tasks.js';

/** How long a caller waits for the provider to cancel a job. */
const CANCELLED_WITHIN_MS = 5_000;

/**
 * What the native API does on DELETE: a task that waits is cancelled and its money comes back, one that has ended is
 * removed from its owner's sight, one that runs is refused.
 *
 * @throws GatewayError `task_not_found`, `conflict` for a task that cannot be cancelled now, `service_unavailable`.
 */
export async function cancelTask(
  caller: CallerToken,
  id: string,
  gateway: VideoGateway,
): Promise<Record<string, never>> {
  const task = await findTask(caller, id, 'native', gateway);
  if (isTaskEnd(task.state)) {
    await readTasks(() => gateway.video.tasks.hide(caller.walletId, id));
    return {};
  }
  if (task.state === 'created' && (await endUnsubmitted(task, gateway))) return {};
  if (task.state === 'submitted' && (await canCancelUpstream(task, gateway))) {
    const ended = await cancelUpstreamJob(task, gateway);
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

async function endUnsubmitted(task: Task, gateway: VideoGateway): Promise<boolean> {
  const outcome = await gateway.video.money.endTask({
    taskId: task.id,
    state: 'cancelled',
    from: ['created'],
    note: 'cancelled by its owner before it was submitted',
  });
  return outcome.state === 'cancelled';
}

async function canCancelUpstream(task: Task, gateway: VideoGateway): Promise<boolean> {
  if (task.channelId === undefined) return false;
  const channel = await readTasks(() => gateway.video.findChannel(task.channelId ?? ''));
  const endpoint = channel && findJobEndpoint(channel, task.upstreamModel ?? '', task.apiVariant);
  return endpoint?.surface.cancel !== undefined;
}

/** Asks a worker to cancel the job, and waits for its end. */
async function cancelUpstreamJob(task: Task, gateway: VideoGateway): Promise<Task | undefined> {
  const watch = gateway.video.notifications.watch(task.id);
  try {
    if (!(await gateway.video.waker.cancel(task.id))) return undefined;
    const deadline = performance.now() + CANCELLED_WITHIN_MS;
    for (;;) {
      await watch.waitForChange(deadline - performance.now());
      const found = await readTasks(() => gateway.video.tasks.find(task.walletId, task.publicId));
      // The change may be that of its submission, which came before.
      if (found?.state !== 'submitted' || performance.now() >= deadline) return found;
    }
  } finally {
    watch.stop();
  }
}
