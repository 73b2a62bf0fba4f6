import { isSame, type RedisScope } from '../access/redis-scope.js';

/** Queue of the video plane. Redis holds no facts about tasks, only notifications that some are due: a lost job loses nothing. */
export const TASK_QUEUE = 'video-tasks';

/** Kinds of jobs: see what a task needs next, and call it off. Both name the task, and a task has at most one of each. */
export const DRIVE = 'drive';
export const CANCEL = 'cancel';

export type TaskJobKind = typeof DRIVE | typeof CANCEL;

export interface TaskJob {
  readonly taskId: string;
  /** Signature of the installation. It has no end: a job may wait for as long as its task, and repeats change nothing. */
  readonly signature: string;
}

export function signJob(redis: RedisScope, kind: TaskJobKind, taskId: string): TaskJob {
  return { taskId, signature: redis.digest(TASK_QUEUE, kind, taskId) };
}

/** The task that a job names; `undefined` for a job that this installation did not make, which is reported. */
export function openJob(
  redis: RedisScope,
  kind: string,
  { taskId, signature }: Partial<TaskJob>,
): string | undefined {
  if (typeof taskId !== 'string' || typeof signature !== 'string') return redis.refuse('malformed');
  return isSame(signature, redis.digest(TASK_QUEUE, kind, taskId)) ? taskId : redis.refuse('forged');
}

/**
 * Options of a job about a task. Its id keeps a task from standing in the queue twice; for that to work, nothing of an
 * ended job may stay behind.
 */
export function jobOptions(kind: TaskJobKind, taskId: string) {
  return { jobId: `${kind}-${taskId}`, removeOnComplete: true, removeOnFail: true } as const;
}
