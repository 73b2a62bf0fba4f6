import { setTimeout as sleep } from 'node:timers/promises';
import { SystemRepository } from '@mg/persistence';
import {
  closeInOrder,
  createMetrics,
  DEFAULT_PLANE_HOST,
  explainListenError,
  NestLogger,
  type PlaneOptions,
  type Registry,
  type RunningPlane,
  startHealthServer,
} from '@mg/runtime';
import { TASK_QUEUE, type TaskJob } from '@mg/transport';
import { getQueueToken } from '@nestjs/bullmq';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Queue } from 'bullmq';
import { explain } from './drive/job-line.js';
import { openWorker, type OpenWorker, type WorkerOptions } from './open-worker.js';
import { repeat } from './queue/repeat.js';
import { sweepOverdue } from './queue/sweep-overdue.js';
import { createVideoMetrics, observeQueue, observeTasks, observeWebhooks } from './video-metrics.js';
import { VideoModule } from './video.module.js';
import { WebhookCourier } from './webhooks/deliver-webhooks.js';

const ANSWERS_WITHIN_MS = 1_000;
const UNREACHABLE_DRAIN_MS = 500;
const CLOSE_MS = 5_000;
const SWEEP_EVERY_MS = 2_000;
const DELIVER_EVERY_MS = 1_000;

export interface VideoPlaneOptions extends PlaneOptions {
  /** Billing's side of tasks; the line to the billing plane when left out. */
  readonly money?: WorkerOptions['money'];
}

/**
 * Starts the video worker: it takes tasks to their ends, calls back their owners, and tells health and metrics on
 * VIDEO_WORKER_PORT.
 *
 * @throws Error with one sentence when the port cannot be listened on or something of the environment is missing.
 */
export async function startVideoPlane(options: VideoPlaneOptions): Promise<RunningPlane> {
  const { environment, logger, money } = options;
  const registry = createMetrics('video-worker', environment);
  const worker = await openWorker({ environment, logger, money, metrics: createVideoMetrics(registry) });
  try {
    return await startQueue(worker, registry, options);
  } catch (error) {
    await worker.close();
    throw error;
  }
}

async function startQueue(
  worker: OpenWorker,
  registry: Registry,
  { environment, logger }: PlaneOptions,
): Promise<RunningPlane> {
  const { kit } = worker;
  const app = await NestFactory.createApplicationContext(VideoModule.with(environment.REDIS_URL ?? '', kit), {
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  const queue = app.get<Queue<TaskJob>>(getQueueToken(TASK_QUEUE));
  queue.on('error', (error) => logger.warn({ reason: error.message }, 'the queue cannot be reached'));
  observeQueue(registry, queue);
  observeTasks(registry, kit.store);
  observeWebhooks(registry, new SystemRepository(worker.database.manager));
  const complain = (what: string) => (error: unknown) => logger.warn({ reason: explain(error) }, what);
  const courier = new WebhookCourier(kit);
  const drainMs = environment.DRAIN_TIMEOUT_SECONDS * 1_000;
  try {
    const health = await startHealthServer({
      host: environment.HOST ?? DEFAULT_PLANE_HOST,
      port: environment.VIDEO_WORKER_PORT,
      environment,
      metrics: registry,
      unready: () => explainUnready(queue, worker),
    });
    const loops = [
      repeat(
        SWEEP_EVERY_MS,
        () => sweep(kit.store, queue),
        complain('overdue tasks could not be looked for'),
      ),
      repeat(DELIVER_EVERY_MS, () => courier.sendDue(), complain('webhooks could not be delivered')),
    ];
    return {
      name: 'video-worker',
      address: health.address,
      async close() {
        const closeLoops = () => Promise.all(loops.map((loop) => loop.close()));
        await closeInOrder(
          [
            [
              { name: 'webhooks', close: () => closeLoops().then(() => courier.close()), withinMs: drainMs },
              {
                name: 'tasks',
                close: () => drain(app, queue, drainMs),
                withinMs: drainMs + ANSWERS_WITHIN_MS,
              },
            ],
            [{ name: 'worker', close: () => worker.close(), withinMs: CLOSE_MS }],
            [{ name: 'health', close: () => health.close() }],
          ],
          logger,
        );
      },
    };
  } catch (error) {
    await app.close();
    throw explainListenError(error, 'VIDEO_WORKER_PORT', environment.VIDEO_WORKER_PORT);
  }
}

/** A queue that does not answer must not keep the next round from coming. */
async function sweep(store: OpenWorker['kit']['store'], queue: Queue<TaskJob>): Promise<void> {
  await Promise.race([sweepOverdue(store, queue), sleep(SWEEP_EVERY_MS, undefined, { ref: false })]);
}

/** Jobs that run come to their end before the queue's connections close. Without Redis there is no such end to wait for. */
async function drain(app: INestApplicationContext, queue: Queue, drainMs: number): Promise<void> {
  const graceMs = (await explainSilence(queue)) === undefined ? drainMs : UNREACHABLE_DRAIN_MS;
  await Promise.race([app.close(), sleep(graceMs, undefined, { ref: false })]);
}

async function explainUnready(queue: Queue, { database, feed }: OpenWorker): Promise<string | undefined> {
  if (!feed.loaded) return 'The configuration has not been read yet.';
  const silence = sleep(ANSWERS_WITHIN_MS, 'Postgres does not answer.', { ref: false });
  const asked = database.query('select 1').then(
    () => undefined,
    () => 'Postgres cannot be reached.',
  );
  return (await Promise.race([asked, silence])) ?? explainSilence(queue);
}

async function explainSilence(queue: Queue): Promise<string | undefined> {
  const silence = sleep(ANSWERS_WITHIN_MS, 'Redis does not answer.', { ref: false });
  try {
    return await Promise.race([queue.getJobCounts('waiting').then(() => undefined), silence]);
  } catch {
    return 'Redis cannot be reached.';
  }
}
