import { setImmediate } from 'node:timers/promises';
import { GatewayError } from '@mg/contract';
import type { DataSource, EntityManager } from 'typeorm';
import { deleteInBatches } from '../retention/delete-in-batches.js';
import type { SealingSteps } from '../secrets/seal-in-steps.js';
import type { SecretKey } from '../secrets/seal-secret.js';
import { type LineRequest, insertLines, writeRequest } from './batch-lines.js';
import { type Batch, BATCH_COLUMNS, type BatchApi, type BatchRow, toBatch } from './batch-row.js';

export interface NewBatch {
  readonly id: string;
  readonly walletId: string;
  readonly tokenId: string;
  readonly keyHash: string;
  readonly api: BatchApi;
  readonly endpoint: string;
  readonly details: Readonly<Record<string, unknown>>;
  /** Headers that go with every line. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Until then every line is made; after it the others have expired. */
  readonly windowSeconds: number;
}

/** One page of a wallet's batches. */
export interface BatchPage {
  readonly api: BatchApi;
  /** The row that the page comes after, or before. */
  readonly after?: string | undefined;
  readonly before?: string | undefined;
  readonly limit: number;
}

/** Batches of one wallet that have not ended. */
const MAX_OPEN = 20;
/** All that are kept of one wallet. */
const MAX_KEPT = 10_000;
/** Lines that are written in one statement: as many bytes as are encrypted in some milliseconds, or as many lines. */
const LINES_AT_ONCE = 200;
const BYTES_AT_ONCE = 1024 * 1024;
const RETRY_AFTER_SECONDS = 60;
const HOURS_A_DAY = 24;

/** Batches, each to be found with its wallet alone. */
export class WalletBatches {
  readonly #steps: SealingSteps;

  /** @param pause is waited for between steps of encrypting lines. */
  constructor(
    private readonly database: DataSource,
    key: SecretKey,
    pause: () => Promise<void> = setImmediate,
  ) {
    this.#steps = { key, pause };
  }

  /**
   * Creates a batch whose lines are in a file, for a worker to read.
   *
   * @throws GatewayError `rate_limited` where the wallet has as many batches as it may have.
   */
  create(batch: NewBatch): Promise<Batch> {
    return this.database.transaction((manager) => this.#insert(manager, batch));
  }

  /**
   * Creates a batch that came with its lines: either all of it is there or nothing.
   *
   * @throws GatewayError as `create`.
   */
  createWithLines(batch: NewBatch, requests: readonly LineRequest[]): Promise<Batch> {
    return this.database.transaction(async (manager) => {
      await this.#insert(manager, batch);
      let first = 1;
      for (const texts of cutLines(requests)) {
        await this.#steps.pause();
        await insertLines(manager, { batchId: batch.id, first, texts }, this.#steps);
        first += texts.length;
      }
      const [[row]] = await manager.query<[BatchRow[], number]>(
        `update batch set state = 'in_progress', in_progress_at = now(), total = $2 where id = $1 returning ${BATCH_COLUMNS}`,
        [batch.id, requests.length],
      );
      return toBatch(row as BatchRow);
    });
  }

  async find(walletId: string, api: BatchApi, id: string): Promise<Batch | undefined> {
    const [row] = await this.database.query<BatchRow[]>(
      `select ${BATCH_COLUMNS} from batch where wallet_id = $1 and api = $2 and id = $3`,
      [walletId, api, id],
    );
    return row && toBatch(row);
  }

  /** Batches, the newest first. A page after or before a batch that is not there is empty. */
  async list(walletId: string, { api, after, before, limit }: BatchPage): Promise<Batch[]> {
    const rows = await this.database.query<BatchRow[]>(
      `select ${BATCH_COLUMNS} from batch where wallet_id = $1 and api = $2
          and ($3::text is null or (created_at, id) < (select a.created_at, a.id from batch a where a.wallet_id = $1 and a.id = $3))
          and ($4::text is null or (created_at, id) > (select b.created_at, b.id from batch b where b.wallet_id = $1 and b.id = $4))
        order by case when $4::text is null then created_at end desc, case when $4::text is null then id end desc, created_at, id
        limit $5`,
      [walletId, api, after ?? null, before ?? null, limit],
    );
    const found = rows.map(toBatch);
    return before === undefined ? found : found.toReversed();
  }

  /** Has no further line of a batch sent. @returns the batch as it is then; `undefined` where there is none. */
  async cancel(walletId: string, api: BatchApi, id: string): Promise<Batch | undefined> {
    const [[row]] = await this.database.query<[BatchRow[], number]>(
      `update batch set state = 'cancelling', cancelling_at = now()
        where wallet_id = $1 and api = $2 and id = $3 and state in ('validating', 'in_progress') returning ${BATCH_COLUMNS}`,
      [walletId, api, id],
    );
    return row ? toBatch(row) : this.find(walletId, api, id);
  }

  /** Removes a batch that has ended, without its files. @returns whether there was one. */
  async delete(walletId: string, api: BatchApi, id: string): Promise<boolean> {
    const [, deleted] = await this.database.query<[unknown[], number]>(
      'delete from batch where wallet_id = $1 and api = $2 and id = $3 and ended_at is not null',
      [walletId, api, id],
    );
    return deleted > 0;
  }

  /** Forgets batches that ended so many days ago. */
  async expire(days: number): Promise<void> {
    await deleteInBatches(
      this.database,
      `delete from batch where id in (
         select b.id from batch b where b.ended_at < now() - make_interval(hours => $1)
          order by b.ended_at limit $2 for update skip locked)`,
      days * HOURS_A_DAY,
    );
  }

  /** Batches of one wallet are created one after another, so that none of them slips past the limit. */
  async #insert(manager: EntityManager, batch: NewBatch): Promise<Batch> {
    await manager.query(`select pg_advisory_xact_lock(hashtextextended('batch ' || $1, 0))`, [
      batch.walletId,
    ]);
    const [held] = await manager.query<{ open: number; kept: number }[]>(
      `select count(*) filter (where ended_at is null)::int as open, count(*)::int as kept from batch where wallet_id = $1`,
      [batch.walletId],
    );
    if ((held?.open ?? 0) >= MAX_OPEN) throw refuse(`has ${MAX_OPEN} batches in progress`);
    if ((held?.kept ?? 0) >= MAX_KEPT) throw refuse(`has ${MAX_KEPT} batches, which are kept for a while`);
    const [row] = await manager.query<BatchRow[]>(
      `insert into batch (id, wallet_id, token_id, key_hash, api, endpoint, details, headers, expires_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, now() + make_interval(secs => $9)) returning ${BATCH_COLUMNS}`,
      [
        batch.id,
        batch.walletId,
        batch.tokenId,
        batch.keyHash,
        batch.api,
        batch.endpoint,
        JSON.stringify(batch.details),
        JSON.stringify(batch.headers ?? {}),
        batch.windowSeconds,
      ],
    );
    return toBatch(row as BatchRow);
  }
}

/** The texts of requests, cut so that one piece is encrypted in a few milliseconds. */
function* cutLines(requests: readonly LineRequest[]): Generator<readonly (readonly Buffer[])[]> {
  let some: (readonly Buffer[])[] = [];
  let bytes = 0;
  for (const request of requests) {
    const text = writeRequest(request);
    some.push(text);
    bytes += text.reduce((sum, { length }) => sum + length, 0);
    if (some.length < LINES_AT_ONCE && bytes < BYTES_AT_ONCE) continue;
    yield some;
    some = [];
    bytes = 0;
  }
  if (some.length > 0) yield some;
}

function refuse(why: string): GatewayError {
  return new GatewayError('rate_limited', `The wallet of this API key ${why}.`, {
    retryAfter: RETRY_AFTER_SECONDS,
  });
}
