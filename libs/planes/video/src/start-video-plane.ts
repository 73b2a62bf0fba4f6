import { setTimeout as sleep } from 'node:timers/promises';
import { DueWork, SystemRepository } from '@mg/persistence/video';
import {
  createMetrics,
  DEFAULT_PLANE_HOST,
  errorMessage,
  explainListenError,
  findObstacle,
  type Lifecycle,
  NestLogger,
  type PlaneOptions,
  repeatEvery,
  type RunningPlane,
  startHealthServer,
  startPlane,
} from '@mg/runtime';
import { TASK_QUEUE, type TaskJob } from '@mg/transport';
import { getQueueToken } from '@nestjs/bullmq';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Queue } from 'bullmq';
import { lookForWork } from './look-for-work.js';
import { openWorker, type OpenWorker, type WorkerOptions } from './open-worker.js';
import { sweepOverdue } from './queue/sweep-overdue.js';
import { observeQueue, observeTasks, observeWebhooks } from './video-metrics.js';
import { VideoModule } from './video.module.js';
import { WebhookSender } from './webhooks/deliver-webhooks.js';
import type { WorkerContext } from './worker-context.js';

const UNREACHABLE_DRAIN_MS = 500;
/** Beyond the drain, to find out whether Redis answers. */
const DRAIN_MARGIN_MS = 1_000;
/** How often a worker looks whether there is anything for it that no job of the queue tells it of. */
const WATCH_EVERY_MS = 2_000;
/** Unless the watch says that there are overdue tasks. */
const SWEEP_EVERY_MS = 60_000;
const ANSWERS_WITHIN_MS = 2_000;

export interface VideoPlaneOptions extends PlaneOptions {
  /** Charges and ends tasks; the client of the billing plane when left out. */
  readonly money?: WorkerOptions['money'];
}

/**
 * Starts the video worker: it takes tasks to their ends, calls back their owners, and reports health and metrics on
 * VIDEO_WORKER_PORT.
 *
 * @throws Error with one sentence when the port cannot be listened on or something of the environment is missing.
 */
export function startVideoPlane(options: VideoPlaneOptions): Promise<RunningPlane> {
  return startPlane('video-worker', options, async (life) => {
    const { environment, logger } = options;
    const drainMs = environment.DRAIN_TIMEOUT_SECONDS * 1_000;
    const metrics = createMetrics('video-worker', environment);
    const open = await openWorker({ ...options, registry: metrics }, life);
    const { worker, database } = open;
    const app = await NestFactory.createApplicationContext(VideoModule.with(worker), {
      logger: new NestLogger(logger),
      abortOnError: false,
    });
    const queue = app.get<Queue<TaskJob>>(getQueueToken(TASK_QUEUE));
    queue.on('error', (error) => logger.warn({ reason: error.message }, 'the queue cannot be reached'));
    const closeTasks = () => drain(app, queue, drainMs);
    life.onStop('intake', { name: 'tasks', close: closeTasks, withinMs: drainMs + DRAIN_MARGIN_MS });
    observeQueue(metrics, queue);
    observeTasks(metrics, worker.store);
    observeWebhooks(metrics, new SystemRepository(database.manager));
    const health = await startHealthServer({
      host: environment.HOST ?? DEFAULT_PLANE_HOST,
      port: environment.VIDEO_WORKER_PORT,
      environment,
      metrics,
      unready: async () => life.obstacle ?? explainUnready(queue, open),
    }).catch((error: unknown) => {
      throw explainListenError(error, 'VIDEO_WORKER_PORT', environment.VIDEO_WORKER_PORT);
    });
    life.own('health', 'health', health);
    startRounds(open, queue, life, drainMs);
    return health.address;
  });
}

/** Looks for overdue tasks, webhooks that are due and batches: in one statement while there are none. */
function startRounds(
  { worker, batches, database }: OpenWorker,
  queue: Queue<TaskJob>,
  life: Lifecycle,
  drainMs: number,
): void {
  const warn = (message: string) => (error: unknown) =>
    worker.logger.warn({ reason: errorMessage(error) }, message);
  const sender = new WebhookSender(worker);
  const sweeps = repeatEvery(
    SWEEP_EVERY_MS,
    () => sweep(worker, queue),
    warn('overdue tasks could not be looked for'),
  );
  const deliveries = lookForWork(() => sender.sendDue(), warn('webhooks could not be delivered'));
  const work = new DueWork(database);
  const watch = repeatEvery(
    WATCH_EVERY_MS,
    async () => {
      // A database that does not answer must not keep the next look from coming.
      const asking = new AbortController();
      const late = sleep(ANSWERS_WITHIN_MS, undefined, { signal: asking.signal });
      const possible = await Promise.race([work.find(), late]).finally(() => asking.abort());
      if (!possible) return;
      if (possible.tasks) sweeps.wake();
      if (possible.webhooks) deliveries.wake();
      if (possible.batches) {
        batches.steps.wake();
        batches.lines.wake();
      }
      if (possible.upstreamBatches) batches.upstreams.wake();
    },
    warn('work that is due could not be looked for'),
  );
  life.own('intake', 'watch for work', watch, ANSWERS_WITHIN_MS + DRAIN_MARGIN_MS);
  life.own('intake', 'overdue tasks', sweeps, ANSWERS_WITHIN_MS + DRAIN_MARGIN_MS);
  life.onStop('intake', {
    name: 'webhooks',
    close: () => deliveries.close().then(() => sender.close()),
    withinMs: drainMs,
  });
}

/** A queue that does not answer must not keep the next round from coming. */
async function sweep({ store, redis }: WorkerContext, queue: Queue<TaskJob>): Promise<void> {
  await Promise.race([
    sweepOverdue(store, redis, queue),
    sleep(ANSWERS_WITHIN_MS, undefined, { ref: false }),
  ]);
}

/** Jobs that run come to their end before the queue's connections close. Without Redis there is no such end to wait for. */
async function drain(app: INestApplicationContext, queue: Queue, drainMs: number): Promise<void> {
  const graceMs = (await findRedisObstacle(queue)) === undefined ? drainMs : UNREACHABLE_DRAIN_MS;
  await Promise.race([app.close(), sleep(graceMs, undefined, { ref: false })]);
}

async function explainUnready(queue: Queue, { database, catalog }: OpenWorker): Promise<string | undefined> {
  if (!catalog.loaded) return 'The configuration has not been read yet.';
  return (await findObstacle('Postgres', () => database.query('select 1'))) ?? findRedisObstacle(queue);
}

function findRedisObstacle(queue: Queue): Promise<string | undefined> {
  return findObstacle('Redis', () => queue.getJobCounts('waiting'));
}
