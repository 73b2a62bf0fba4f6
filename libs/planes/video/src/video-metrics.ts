import { isTaskEnd, TASK_STATES } from '@mg/contract';
import type { SystemRepository, TaskStore } from '@mg/persistence/video';
import { Counter, Gauge, type Registry } from '@mg/runtime';
import type { Queue } from 'bullmq';

export interface VideoMetrics {
  readonly jobs: Counter<'outcome'>;
  readonly submits: Counter<'outcome'>;
  readonly polls: Counter<'outcome'>;
  readonly webhooks: Counter<'outcome'>;
}

export function createVideoMetrics(registry: Registry): VideoMetrics {
  const count = (name: string, help: string) =>
    new Counter({ name, help, labelNames: ['outcome'], registers: [registry] });
  return {
    jobs: count('video_jobs_total', 'Jobs that the video worker has ended, by outcome.'),
    submits: count('video_submits_total', 'Submits of tasks to providers: accepted, refused or unknown.'),
    polls: count('video_polls_total', 'Polls of providers, by their result.'),
    webhooks: count('video_webhooks_total', 'Tries to deliver a webhook: delivered, failed or given up.'),
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

/** Tasks that go on by state, and how late the most overdue one is, asked for when the metrics are read. */
export function observeTasks(registry: Registry, store: TaskStore): void {
  const late = new Gauge({
    name: 'video_oldest_due_seconds',
    help: 'By how many seconds the most overdue task is late.',
    registers: [registry],
  });
  const tasks = new Gauge({
    name: 'video_tasks',
    help: 'Tasks that have not ended, by state.',
    labelNames: ['state'],
    registers: [registry],
    collect: async () => {
      const { byState, oldestDueSeconds } = await store.countTasks();
      for (const state of TASK_STATES) {
        if (!isTaskEnd(state)) tasks.set({ state }, byState.get(state) ?? 0);
      }
      late.set(oldestDueSeconds);
    },
  });
}

/** Webhooks that are still to be delivered, asked for when the metrics are read. */
export function observeWebhooks(registry: Registry, system: SystemRepository): void {
  const oldest = new Gauge({
    name: 'video_webhook_oldest_seconds',
    help: 'Age of the oldest webhook that is not delivered yet.',
    registers: [registry],
  });
  const waiting = new Gauge({
    name: 'video_webhooks_waiting',
    help: 'Webhooks that are not delivered yet and not given up.',
    registers: [registry],
    collect: async () => {
      const backlog = await system.findWebhookBacklog();
      waiting.set(backlog.count);
      oldest.set(backlog.oldestSeconds);
    },
  });
}
