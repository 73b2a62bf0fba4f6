import type { HoldOutcome, HoldRequest } from './hold.js';
import type { AttemptRow } from './journal.js';
import type { NanoUsd } from './money.js';

/**
 * The life of a video task: `created` with its money held; `submitting` while the one request that makes it is under
 * way; `submit_unknown` when it is not known whether that request arrived - it is neither repeated nor refunded until
 * that is known; `submitted` and `running` at the provider, charged; then one of four ends, which never changes.
 */
export const TASK_STATES = [
  'created',
  'submitting',
  'submit_unknown',
  'submitted',
  'running',
  'succeeded',
  'failed',
  'expired',
  'cancelled',
] as const;
export type TaskState = (typeof TASK_STATES)[number];

export const TASK_ENDS = ['succeeded', 'failed', 'expired', 'cancelled'] as const;
export type TaskEndState = (typeof TASK_ENDS)[number];

export function isTaskEnd(state: TaskState): state is TaskEndState {
  return (TASK_ENDS as readonly string[]).includes(state);
}

/** Which API a task came by: `/v1/video/generations` or `/videonative/...`. */
export type ApiVariant = 'generic' | 'native';

/** Why a task has no result; `code` is one of the gateway's error codes or the provider's own word. */
export interface TaskError {
  readonly code: string;
  readonly message: string;
  /** HTTP status for the caller while their create call still waits; polls show the error in a 200. */
  readonly status?: number;
  readonly param?: string;
  /** Seconds after which the provider asked to be tried again. */
  readonly retryAfter?: number;
}

/** Where a finished video is. */
export interface TaskResult {
  /** The provider's link, or one that needs the channel's credential (`needsKey`). */
  readonly url: string;
  readonly needsKey?: boolean;
  readonly lastFrameUrl?: string;
  /** When the provider's link expires, in milliseconds since the epoch. */
  readonly expiresAt?: number;
  /** Name of our own copy in the result store, once there is one. */
  readonly stored?: string;
  /** The provider's own answer of a native task, short enough to be shown with many others, with our id. */
  readonly native?: Readonly<Record<string, unknown>>;
}

/** A task that is about to be: written together with its hold, whose id it shares. */
export interface NewTask {
  /** Also the id of its hold and of the create call's request. */
  readonly id: string;
  /** What the caller polls by; never the provider's id. */
  readonly publicId: string;
  readonly apiVariant: ApiVariant;
  readonly userId: string;
  readonly tokenId: string;
  readonly walletId: string;
  readonly model: string;
  /**
   * The caller's order: a `VideoOrder` of the generic API, the body as it was sent of the native one. JSON. It does not travel
   * to billing, for it may carry whole images, and is kept until a provider has the job; empty wherever it is not needed.
   */
  readonly order: Buffer;
  /** Gateways that the order came through before this one, for as long as it may have to be sent. It stays with the order. */
  readonly hops?: string | undefined;
  /** Seconds charged in advance. */
  readonly seconds: number;
  /** Price variant that the charge was calculated by, such as `1080p`. */
  readonly priceVariant: string | undefined;
  readonly callbackUrl: string | undefined;
  /** How long the task may take before it counts as expired. */
  readonly deadlineSeconds: number;
}

/** A task as it stands in the database. Times are milliseconds since the epoch. */
export interface Task extends Omit<NewTask, 'deadlineSeconds' | 'order'> {
  /** As JSON, where it is short and at hand; empty otherwise. */
  readonly order: string;
  readonly state: TaskState;
  readonly amount: NanoUsd;
  readonly priceVersionId: string;
  readonly channelId: string | undefined;
  readonly channelName: string | undefined;
  /** Which of the channel's keys made the task: SHA-256 of it, so that polls use the same one. */
  readonly keyHash: string | undefined;
  readonly upstreamModel: string | undefined;
  readonly upstreamId: string | undefined;
  /** What the provider's surface keeps for its polls, such as addresses from earlier answers. */
  readonly upstreamData: Readonly<Record<string, unknown>>;
  /** From 0 to 100, where the provider reports it. */
  readonly progress: number | undefined;
  readonly result: TaskResult | undefined;
  readonly error: TaskError | undefined;
  readonly createdAt: number;
  readonly submittedAt: number | undefined;
  readonly finishedAt: number | undefined;
  readonly deadlineAt: number;
  /** When the worker looks at it next. */
  readonly nextRunAt: number;
  /** Polls in a row without a usable answer. */
  readonly pollFailures: number;
  /** Its first submits, as the log has them; left out where they are not known. */
  readonly attempts?: readonly AttemptRow[];
  /** What the caller pays for it: undefined until it is charged, 0 once refunded or ended without a charge. */
  readonly charged: NanoUsd | undefined;
}

/** Asks billing to hold a task's cost and to write the task, both or neither. */
export interface TaskOpenRequest {
  readonly hold: HoldRequest;
  readonly task: NewTask;
}

/** How a task ended. The same end reported twice is one end; another end after the first changes nothing. */
export interface TaskEnd {
  readonly taskId: string;
  readonly state: TaskEndState;
  /** Ends the task only while it is in one of these states, so that a cancellation cannot overtake a submit. */
  readonly from?: readonly TaskState[];
  readonly error?: TaskError;
  readonly result?: TaskResult;
  /** Seconds that the provider says it made; the charge is corrected to them, never to more than was held; 0 is no figure. */
  readonly actualSeconds?: number;
  readonly note: string;
}

/** What stands after a task's end was reported: the end that came first, and what was charged in the end. */
export interface TaskEndOutcome {
  readonly state: TaskState;
  readonly charged: NanoUsd;
  /** Whether this very message ended the task. */
  readonly ended: boolean;
}

/** Billing's side of video tasks. Every method may be asked again; each rejects with `service_unavailable` when billing does not answer in time. */
export interface TaskMoneyPort {
  /** Holds a task's cost and writes the task in one transaction; asked again with the same id, it is one task. */
  openTask(request: TaskOpenRequest): Promise<HoldOutcome>;
  /** Turns a task's hold into its charge, once the provider has taken it; answers the amount. */
  chargeTask(taskId: string): Promise<NanoUsd>;
  /** Ends a task and settles, releases or refunds in the same transaction, exactly once. */
  endTask(end: TaskEnd): Promise<TaskEndOutcome>;
}
