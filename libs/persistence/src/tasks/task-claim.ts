import type { Task } from '@mg/contract';

/** The right to take a task's next step, until another worker may claim it. */
export interface TaskClaim {
  readonly taskId: string;
  /** Distinguishes this claim from every other one. */
  readonly by: string;
}

export interface ClaimedTask {
  /** Without its order, which may be megabytes: `TaskStore.readOrder`. */
  readonly task: Task;
  readonly claim: TaskClaim;
  /** How long its order is; `undefined` once a provider has the job, and where it was withdrawn before. */
  readonly orderBytes: number | undefined;
}

/** Where a task is about to be submitted to. */
export interface SubmitAttempt {
  readonly channelId: string;
  readonly channelName: string;
  /** SHA-256 of the channel's key that is used. */
  readonly keyHash: string | undefined;
  readonly upstreamModel: string;
}

/** When a task is looked at next, and a line for its history where there is something to say. */
export interface NextStep {
  readonly nextRunSeconds: number;
  readonly note?: string;
}
