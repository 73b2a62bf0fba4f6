import { Counter, Gauge, type Registry } from '@mg/runtime';
import type { Queue } from 'bullmq';

export interface VideoMetrics {
  readonly jobs: Counter<'outcome'>;
}

export function createVideoMetrics(registry: Registry): VideoMetrics {
  return {
    jobs: new Counter({
      name: 'video_jobs_total',
      help: 'Jobs that the video worker has ended, by outcome.',
      labelNames: ['outcome'],
      registers: [registry],
    }),
  };
}

/** Jobs in the queue by state, asked for when the metrics are read. */
export function observeQueue(registry: Registry, queue: Queue): void {
  const states = ['waiting', 'active', 'delayed', 'failed'] as const;
  const depth = new Gauge({
    name: 'video_queue_jobs',
    help: 'Jobs in the queue of the video worker, by state.',
    labelNames: ['state'],
    registers: [registry],
    collect: async () => {
      const counts = await queue.getJobCounts(...states);
      for (const state of states) depth.set({ state }, counts[state] ?? 0);
    },
  });
}
