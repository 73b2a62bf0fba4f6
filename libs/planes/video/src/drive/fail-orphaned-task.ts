import type { Task } from '@mg/contract';
import type { WorkerContext } from '../worker-context.js';
import type { StepOutcome } from './step.js';

/** Ends a task whose channel was deleted: nobody can ask its provider any more, so its owner has the money back now. */
export async function failOrphanedTask(task: Task, worker: WorkerContext): Promise<StepOutcome> {
  worker.logger.warn(
    { task: task.id, channel: task.channelName, job: task.upstreamId },
    'a task ends because its channel was deleted: the provider may bill its job',
  );
  await worker.money.endTask({
    taskId: task.id,
    state: 'failed',
    error: { code: 'channel_deleted', message: 'The channel that made the video is no longer there.' },
    note: 'its channel was deleted',
  });
  return 'done';
}
