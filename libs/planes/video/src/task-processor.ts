import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import { CANCEL, DRIVE, openJob, TASK_QUEUE, type TaskJob } from '@mg/transport';
import { DelayedError, type Job } from 'bullmq';
import { cancelUpstreamJob } from './drive/cancel-upstream-job.js';
import { driveTask } from './drive/drive-task.js';
import { errorMessage } from '@mg/runtime';
import { WORKER_CONTEXT, type WorkerContext } from './worker-context.js';

const CONCURRENCY = 50;
/** A worker that is gone is noticed within these, and its jobs are taken over. */
const LOCK_MS = 15_000;
const LOOK_FOR_STALLED_MS = 5_000;
/** A job is a notification, and may be delivered any number of times. */
const MAX_STALLED = 1_000;
const AGAIN_MS = 2_000;

/** Takes jobs from the queue. The one job of a task waits there between its steps. */
@Processor(TASK_QUEUE, {
  concurrency: CONCURRENCY,
  lockDuration: LOCK_MS,
  stalledInterval: LOOK_FOR_STALLED_MS,
  maxStalledCount: MAX_STALLED,
})
export class TaskProcessor extends WorkerHost {
  constructor(@Inject(WORKER_CONTEXT) private readonly context: WorkerContext) {
    super();
  }

  override async process(job: Job<TaskJob>, token?: string): Promise<void> {
    const taskId = openJob(this.context.redis, job.name, job.data);
    if (taskId === undefined) return;
    switch (job.name) {
      case DRIVE:
        return this.#drive(taskId, job, token);
      case CANCEL:
        return cancelUpstreamJob(taskId, this.context);
      default:
        throw new Error(`The queue ${TASK_QUEUE} has no jobs of kind ${job.name}.`);
    }
  }

  async #drive(taskId: string, job: Job<TaskJob>, token: string | undefined): Promise<void> {
    const nextMs = await this.#takeStep(taskId);
    if (nextMs === undefined) return;
    await job.moveToDelayed(Date.now() + nextMs, token);
    throw new DelayedError();
  }

  async #takeStep(taskId: string): Promise<number | undefined> {
    try {
      const seconds = await driveTask(taskId, this.context);
      return seconds === undefined ? undefined : Math.ceil(seconds * 1_000);
    } catch (error) {
      this.context.logger.warn({ task: taskId, reason: errorMessage(error) }, 'task could not be processed');
      return AGAIN_MS;
    }
  }

  @OnWorkerEvent('completed')
  countCompleted(): void {
    this.context.metrics.jobs.inc({ outcome: 'completed' });
  }

  @OnWorkerEvent('failed')
  countFailed(job: Job | undefined, error: Error): void {
    this.context.metrics.jobs.inc({ outcome: 'failed' });
    this.context.logger.warn({ job: job?.id, reason: error.message }, 'a job failed');
  }

  @OnWorkerEvent('error')
  reportTrouble(error: Error): void {
    this.context.logger.warn({ reason: error.message }, 'the queue cannot be reached');
  }
}
