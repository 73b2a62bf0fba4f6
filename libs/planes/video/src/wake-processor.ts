import { OnWorkerEvent, Processor, WorkerHost } from '@nestjs/bullmq';
import { Inject } from '@nestjs/common';
import type { Job } from 'bullmq';
import { TASK_QUEUE, WAKE } from './task-queue.js';
import { VIDEO_WORK, type VideoWork } from './video-work.js';

const CONCURRENCY = 4;

/** Takes jobs from the queue; a job that fails is kept there with its reason. */
@Processor(TASK_QUEUE, { concurrency: CONCURRENCY })
export class WakeProcessor extends WorkerHost {
  constructor(@Inject(VIDEO_WORK) private readonly work: VideoWork) {
    super();
  }

  override async process(job: Job): Promise<void> {
    if (job.name !== WAKE) throw new Error(`The queue ${TASK_QUEUE} has no jobs of kind ${job.name}.`);
    this.work.logger.debug({ job: job.id }, 'woken up');
  }

  @OnWorkerEvent('completed')
  countCompleted(): void {
    this.work.metrics.jobs.inc({ outcome: 'completed' });
  }

  @OnWorkerEvent('failed')
  countFailed(job: Job | undefined, error: Error): void {
    this.work.metrics.jobs.inc({ outcome: 'failed' });
    this.work.logger.warn({ job: job?.id, reason: error.message }, 'a job failed');
  }

  @OnWorkerEvent('error')
  reportTrouble(error: Error): void {
    this.work.logger.warn({ reason: error.message }, 'the queue cannot be reached');
  }
}
