import { setTimeout as sleep } from 'node:timers/promises';
import {
  createMetrics,
  DEFAULT_PLANE_HOST,
  explainListenError,
  type HealthServer,
  NestLogger,
  type PlaneOptions,
  type RunningPlane,
  startHealthServer,
} from '@mg/runtime';
import { getQueueToken } from '@nestjs/bullmq';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Queue } from 'bullmq';
import { TASK_QUEUE } from './task-queue.js';
import { createVideoMetrics, observeQueue } from './video-metrics.js';
import { VideoModule } from './video.module.js';

const QUEUE_ANSWERS_WITHIN_MS = 1_000;
const UNREACHABLE_DRAIN_MS = 500;

/**
 * Starts the video worker: its queue on Redis, and health and metrics on VIDEO_WORKER_PORT.
 *
 * @throws Error with one sentence when the port cannot be listened on.
 */
export async function startVideoPlane({ environment, logger }: PlaneOptions): Promise<RunningPlane> {
  const registry = createMetrics('video-worker', environment);
  const work = { logger, metrics: createVideoMetrics(registry) };
  if (environment.REDIS_URL === undefined)
    throw new Error('REDIS_URL is required: the queue lives in Redis.');
  const app = await NestFactory.createApplicationContext(VideoModule.with(environment.REDIS_URL, work), {
    logger: new NestLogger(logger),
    abortOnError: false,
  });
  const queue = app.get<Queue>(getQueueToken(TASK_QUEUE));
  queue.on('error', (error) => logger.warn({ reason: error.message }, 'the queue cannot be reached'));
  observeQueue(registry, queue);
  let health: HealthServer;
  try {
    health = await startHealthServer({
      host: environment.HOST ?? DEFAULT_PLANE_HOST,
      port: environment.VIDEO_WORKER_PORT,
      environment,
      metrics: registry,
      unready: () => explainUnready(queue),
    });
  } catch (error) {
    await app.close();
    throw explainListenError(error, 'VIDEO_WORKER_PORT', environment.VIDEO_WORKER_PORT);
  }
  return {
    name: 'video-worker',
    address: health.address,
    close: async () => {
      await drain(app, queue, environment.DRAIN_TIMEOUT_SECONDS * 1_000);
      await health.close();
    },
  };
}

/** Jobs that run come to their end before the queue's connections close. Without Redis there is no such end to wait for. */
async function drain(app: INestApplicationContext, queue: Queue, drainMs: number): Promise<void> {
  const graceMs = (await explainUnready(queue)) === undefined ? drainMs : UNREACHABLE_DRAIN_MS;
  await Promise.race([app.close(), sleep(graceMs, undefined, { ref: false })]);
}

async function explainUnready(queue: Queue): Promise<string | undefined> {
  const silence = sleep(QUEUE_ANSWERS_WITHIN_MS, 'Redis does not answer.', { ref: false });
  try {
    return await Promise.race([queue.getJobCounts('waiting').then(() => undefined), silence]);
  } catch {
    return 'Redis cannot be reached.';
  }
}
