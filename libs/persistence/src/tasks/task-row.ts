import type { AttemptRow, Task, TaskError, ApiVariant, TaskResult, TaskState } from '@mg/contract';

/** What every reader of tasks may see of a row, as the driver reads it. */
export interface TaskSummaryRow {
  id: string;
  public_id: string;
  face: ApiVariant;
  user_id: string;
  token_id: string;
  wallet_id: string;
  model_slug: string;
  seconds: number;
  price_variant: string | null;
  amount: string;
  price_version_id: string;
  state: TaskState;
  charged: string | null;
  channel_name: string | null;
  upstream_model: string | null;
  upstream_id: string | null;
  progress: number | null;
  error: TaskError | null;
  created_at: Date;
  submitted_at: Date | null;
  finished_at: Date | null;
  deadline_at: Date;
}

/** A task's row as the driver reads it. */
export interface TaskRow extends TaskSummaryRow {
  /** Read along only where the task may have to be sent. */
  hops?: string | null;
  callback_url: string | null;
  channel_id: string | null;
  key_hash: string | null;
  upstream_data: Record<string, unknown>;
  result: TaskResult | null;
  next_run_at: Date;
  poll_failures: number;
  submits: AttemptRow[];
}

/** A task without its order, its result and what only workers need. */
export type TaskSummary = Omit<
  Task,
  | 'order'
  | 'hops'
  | 'callbackUrl'
  | 'channelId'
  | 'keyHash'
  | 'upstreamData'
  | 'result'
  | 'nextRunAt'
  | 'pollFailures'
  | 'attempts'
>;

export const TASK_SUMMARY_COLUMNS = `t.id, t.public_id, t.face, t.user_id, t.token_id, t.wallet_id, t.model_slug,
  t.seconds, t.price_variant, t.amount, t.price_version_id, t.state, t.charged, t.channel_name, t.upstream_model,
  t.upstream_id, t.progress, t.error, t.created_at, t.submitted_at, t.finished_at, t.deadline_at`;

export const TASK_COLUMNS = `${TASK_SUMMARY_COLUMNS}, t.callback_url, t.channel_id, t.key_hash, t.upstream_data, t.result,
  t.next_run_at, t.poll_failures, t.submits`;

export function toTaskSummary(row: TaskSummaryRow): TaskSummary {
  return {
    id: row.id,
    publicId: row.public_id,
    apiVariant: row.face,
    userId: row.user_id,
    tokenId: row.token_id,
    walletId: row.wallet_id,
    model: row.model_slug,
    seconds: row.seconds,
    priceVariant: row.price_variant ?? undefined,
    amount: BigInt(row.amount),
    priceVersionId: row.price_version_id,
    state: row.state,
    charged: row.charged === null ? undefined : BigInt(row.charged),
    channelName: row.channel_name ?? undefined,
    upstreamModel: row.upstream_model ?? undefined,
    upstreamId: row.upstream_id ?? undefined,
    progress: row.progress ?? undefined,
    error: row.error ?? undefined,
    createdAt: row.created_at.getTime(),
    submittedAt: row.submitted_at?.getTime(),
    finishedAt: row.finished_at?.getTime(),
    deadlineAt: row.deadline_at.getTime(),
  };
}

export function toTask(row: TaskRow): Task {
  return {
    ...toTaskSummary(row),
    order: '',
    hops: row.hops ?? undefined,
    callbackUrl: row.callback_url ?? undefined,
    channelId: row.channel_id ?? undefined,
    keyHash: row.key_hash ?? undefined,
    upstreamData: row.upstream_data,
    result: row.result ?? undefined,
    nextRunAt: row.next_run_at.getTime(),
    pollFailures: row.poll_failures,
    attempts: row.submits,
  };
}
