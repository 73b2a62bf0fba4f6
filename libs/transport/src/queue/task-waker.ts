import { setTimeout as sleep } from 'node:timers/promises';
import { Queue } from 'bullmq';
import { redisOptions } from '../access/redis-options.js';
import type { RedisScope } from '../access/redis-scope.js';
import {
  CANCEL,
  DRIVE,
  jobOptions,
  signJob,
  TASK_QUEUE,
  type TaskJob,
  type TaskJobKind,
} from './task-queue.js';

const ANSWERS_WITHIN_MS = 500;

/** Wakes the video workers for a task. */
export interface TaskWaker {
  /** Never fails and never waits long: workers find due tasks in the database as well. */
  wake(taskId: string): Promise<void>;
  /** Asks a worker to cancel a task. @returns whether the request was queued. */
  cancel(taskId: string): Promise<boolean>;
  close(): Promise<void>;
}

export function createTaskWaker(redis: RedisScope, onTrouble: (error: Error) => void): TaskWaker {
  const queue = new Queue<TaskJob>(TASK_QUEUE, {
    prefix: redis.prefix,
    connection: {
      ...redisOptions(redis.redisUrl),
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      commandTimeout: ANSWERS_WITHIN_MS,
    },
  });
  queue.on('error', onTrouble);
  const add = async (kind: TaskJobKind, taskId: string): Promise<boolean> => {
    try {
      // Without a connection the queue waits for one, and a caller must not.
      const silence = sleep(ANSWERS_WITHIN_MS, 'silence', { ref: false });
      const added = queue.add(kind, signJob(redis, kind, taskId), jobOptions(kind, taskId));
      if ((await Promise.race([added, silence])) !== 'silence') return true;
      throw new Error(`no answer within ${ANSWERS_WITHIN_MS} ms`);
    } catch (error) {
      onTrouble(error instanceof Error ? error : new Error(String(error)));
      return false;
    }
  };
  return {
    wake: async (taskId) => void (await add(DRIVE, taskId)),
    cancel: (taskId) => add(CANCEL, taskId),
    close: async () => {
      // Redis that is away is no reason not to stop.
      const closed = queue.close().catch(onTrouble);
      await Promise.race([closed, sleep(ANSWERS_WITHIN_MS, undefined, { ref: false })]);
    },
  };
}
