/** Which API a batch came in by: OpenAI's, Anthropic's or Google's. */
export type BatchApi = 'batch' | 'message_batch' | 'google_batch';

export type BatchState =
  | 'validating'
  | 'in_progress'
  | 'cancelling'
  | 'finalizing'
  | 'completed'
  | 'failed'
  | 'cancelled'
  | 'expired';

/** What is wrong with a batch, or with a line of its file. */
export interface BatchFault {
  readonly code: string;
  readonly message: string;
  /** From 1 on; `null` for the batch as a whole. */
  readonly line: number | null;
  readonly param: string | null;
}

/** A batch as it stands. */
export interface Batch {
  readonly id: string;
  readonly walletId: string;
  readonly keyHash: string;
  readonly api: BatchApi;
  readonly endpoint: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly state: BatchState;
  readonly errors: readonly BatchFault[] | undefined;
  /** Lines, and how those that are over have ended. */
  readonly counts: Readonly<Record<'total' | 'succeeded' | 'failed' | 'cancelled' | 'expired', number>>;
  readonly outputFileId: string | undefined;
  readonly errorFileId: string | undefined;
  readonly createdAt: Date;
  readonly inProgressAt: Date | undefined;
  readonly cancellingAt: Date | undefined;
  readonly finalizingAt: Date | undefined;
  readonly endedAt: Date | undefined;
  readonly expiresAt: Date;
}

export interface BatchRow {
  readonly id: string;
  readonly wallet_id: string;
  readonly key_hash: string;
  readonly api: BatchApi;
  readonly endpoint: string;
  readonly details: Record<string, unknown>;
  readonly state: BatchState;
  readonly errors: BatchFault[] | null;
  readonly total: number;
  readonly succeeded: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly expired: number;
  readonly output_file_id: string | null;
  readonly error_file_id: string | null;
  readonly created_at: Date;
  readonly in_progress_at: Date | null;
  readonly cancelling_at: Date | null;
  readonly finalizing_at: Date | null;
  readonly ended_at: Date | null;
  readonly expires_at: Date;
}

/** Columns of a batch, for lists of what is selected or returned. */
export const BATCH_COLUMNS = `id, wallet_id, key_hash, api, endpoint, details, state, errors, total, succeeded, failed,
  cancelled, expired, output_file_id, error_file_id, created_at, in_progress_at, cancelling_at, finalizing_at, ended_at,
  expires_at`;

export function toBatch(row: BatchRow): Batch {
  return {
    id: row.id,
    walletId: row.wallet_id,
    keyHash: row.key_hash,
    api: row.api,
    endpoint: row.endpoint,
    details: row.details,
    state: row.state,
    errors: row.errors ?? undefined,
    counts: {
      total: row.total,
      succeeded: row.succeeded,
      failed: row.failed,
      cancelled: row.cancelled,
      expired: row.expired,
    },
    outputFileId: row.output_file_id ?? undefined,
    errorFileId: row.error_file_id ?? undefined,
    createdAt: row.created_at,
    inProgressAt: row.in_progress_at ?? undefined,
    cancellingAt: row.cancelling_at ?? undefined,
    finalizingAt: row.finalizing_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
    expiresAt: row.expires_at,
  };
}
