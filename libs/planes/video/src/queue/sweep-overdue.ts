import type { TaskStore } from '@mg/persistence/video';
import { DRIVE, jobOptions, type RedisScope, signJob, type TaskJob } from '@mg/transport';
import type { Queue } from 'bullmq';

/** Later than this, the job or its worker counts as lost. */
const LATE_SECONDS = 2;
/**
 * A gateway that hears nothing of the task that it asked billing for gives up after two seconds, tells its caller so and
 * calls the task off. Until that has surely been read, only the gateway itself may have the task submitted.
 */
const CREATED_LATE_SECONDS = 10;
const AT_ONCE = 500;

/** Puts tasks into the queue whose wake-up was lost, and brings those forward whose job sleeps for longer than it should. */
export async function sweepOverdue(
  store: TaskStore,
  redis: RedisScope,
  queue: Queue<TaskJob>,
): Promise<void> {
  const overdue = await store.findOverdue({
    lateSeconds: LATE_SECONDS,
    createdLateSeconds: CREATED_LATE_SECONDS,
    limit: AT_ONCE,
  });
  if (overdue.length === 0) return;
  await queue.addBulk(
    overdue.map((taskId) => ({
      name: DRIVE,
      data: signJob(redis, DRIVE, taskId),
      opts: jobOptions(DRIVE, taskId),
    })),
  );
  // A job that stands there already was not put there again, and may be asleep.
  await Promise.all(overdue.map((taskId) => wakeSleeping(taskId, queue)));
}

async function wakeSleeping(taskId: string, queue: Queue<TaskJob>): Promise<void> {
  const job = await queue.getJob(jobOptions(DRIVE, taskId).jobId);
  if (!job || !(await job.isDelayed())) return;
  // Another worker may have done so meanwhile.
  await job.promote().catch(() => undefined);
}
