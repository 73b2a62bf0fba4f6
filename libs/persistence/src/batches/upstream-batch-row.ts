/** How far a provider's batch has come. */
export type UpstreamBatchState = 'gathering' | 'uploading' | 'creating' | 'running' | 'ended';

/** Lines of one batch that a provider carries out as a batch of its own, and what this worker has to know to do its next step. */
export interface UpstreamBatch {
  readonly id: string;
  readonly batchId: string;
  readonly channelId: string;
  /** SHA-256 of the one key that it is made, asked for and cancelled with. */
  readonly keyFingerprint: string;
  /** The provider's name of the one model that its requests are for. */
  readonly upstreamModel: string;
  /** Path that its requests are for, below the versioned base address. */
  readonly endpoint: string;
  readonly state: UpstreamBatchState;
  readonly lines: number;
  readonly fileId: string | undefined;
  readonly upstreamId: string | undefined;
  /** For how long the provider may have it already: since the last request that creates it. */
  readonly creatingSeconds: number | undefined;
  readonly ageSeconds: number;
  readonly isCancelled: boolean;
  /** Steps that failed one after another. */
  readonly failures: number;
  /** The batch that its lines are of. */
  readonly parent: {
    readonly walletId: string;
    readonly tokenId: string;
    readonly keyHash: string;
    readonly api: 'batch' | 'message_batch' | 'google_batch';
    readonly endpoint: string;
    readonly headers: Readonly<Record<string, string>>;
    /** Whether it is neither cancelled nor over. */
    readonly isOpen: boolean;
    /** Since the end of its day; negative before. */
    readonly overdueSeconds: number;
    /** Whether lines of it may still come to this batch. */
    readonly isGathering: boolean;
  };
}

export interface UpstreamBatchRow {
  readonly id: string;
  readonly batch_id: string;
  readonly channel_id: string;
  readonly key_fingerprint: string;
  readonly upstream_model: string;
  readonly upstream_endpoint: string;
  readonly state: UpstreamBatchState;
  readonly lines: number;
  readonly file_id: string | null;
  readonly upstream_id: string | null;
  readonly creating_seconds: number | null;
  readonly age_seconds: number;
  readonly is_cancelled: boolean;
  readonly failures: number;
  readonly wallet_id: string;
  readonly token_id: string;
  readonly key_hash: string;
  readonly api: UpstreamBatch['parent']['api'];
  readonly endpoint: string;
  readonly headers: Record<string, string>;
  readonly is_open: boolean;
  readonly overdue_seconds: number;
  readonly is_gathering: boolean;
}

/** What a claimed row (`u`) is read with, beside its batch (`b`). Times are on Postgres's clock. */
export const UPSTREAM_BATCH_COLUMNS = `u.id, u.batch_id, u.channel_id, u.key_fingerprint, u.upstream_model, u.endpoint as upstream_endpoint, u.state, u.lines, u.file_id,
  u.upstream_id, extract(epoch from now() - u.creating_since)::float8 as creating_seconds,
  extract(epoch from now() - u.created_at)::float8 as age_seconds, u.cancelled_at is not null as is_cancelled, u.failures,
  b.wallet_id, b.token_id, b.key_hash, b.api, b.endpoint, b.headers,
  b.state = 'in_progress' and b.expires_at > now() as is_open,
  extract(epoch from now() - b.expires_at)::float8 as overdue_seconds,
  exists (select from batch_line l where l.batch_id = b.id and l.state = 'open' and l.upstream_batch_id is null
            and l.waits_for is null) as is_gathering`;

export function toUpstreamBatch(row: UpstreamBatchRow): UpstreamBatch {
  return {
    id: row.id,
    batchId: row.batch_id,
    channelId: row.channel_id,
    keyFingerprint: row.key_fingerprint,
    upstreamModel: row.upstream_model,
    endpoint: row.upstream_endpoint,
    state: row.state,
    lines: row.lines,
    fileId: row.file_id ?? undefined,
    upstreamId: row.upstream_id ?? undefined,
    creatingSeconds: row.creating_seconds ?? undefined,
    ageSeconds: row.age_seconds,
    isCancelled: row.is_cancelled,
    failures: row.failures,
    parent: {
      walletId: row.wallet_id,
      tokenId: row.token_id,
      keyHash: row.key_hash,
      api: row.api,
      endpoint: row.endpoint,
      headers: row.headers,
      isOpen: row.is_open,
      overdueSeconds: row.overdue_seconds,
      isGathering: row.is_gathering,
    },
  };
}
