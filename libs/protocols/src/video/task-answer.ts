import type { Task, TaskState } from '@mg/contract';

/** What the create call's answer says of the call itself. */
export interface GatewayExtras {
  readonly request_id: string;
  /** USD, decimal. */
  readonly cost: string;
  readonly latency_ms: number;
}

/** Links to a finished task's video that work for its owner. */
export interface TaskLinks {
  readonly video: string;
  readonly lastFrame?: string;
  /** When the first of them stops working, in milliseconds since the epoch. */
  readonly expiresAt?: number;
}

export interface ShownError {
  readonly code: string;
  readonly message: string;
}

/** Why a task has no video; an end without a reason of its own is named after its state. */
export function showTaskError(task: Task): ShownError | undefined {
  if (task.state !== 'failed' && task.state !== 'expired' && task.state !== 'cancelled') return undefined;
  return task.error
    ? { code: task.error.code, message: task.error.message }
    : { code: task.state, message: SENTENCES[task.state] };
}

const SENTENCES: Readonly<Record<Extract<TaskState, 'failed' | 'expired' | 'cancelled'>, string>> = {
  failed: 'The video could not be made.',
  expired: 'The task was not finished in time.',
  cancelled: 'The task was cancelled.',
};

/** Seconds since the epoch, as both video APIs report times. */
export function toUnixSeconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
