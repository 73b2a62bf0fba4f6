import { setImmediate } from 'node:timers/promises';
import type { DataSource, EntityManager } from 'typeorm';
import { IF_SHORT } from '../secrets/long-texts.js';
import { SealingPace, type SealingSteps } from '../secrets/seal-in-steps.js';
import { SecretError, type SecretKey } from '../secrets/seal-secret.js';
import {
  insertLines,
  type LinePlace,
  type LineRequest,
  openLine,
  readLong,
  readRequest,
  sealLineToBytes,
  writeRequest,
} from './batch-lines.js';
import { type Batch, BATCH_COLUMNS, type BatchFault, type BatchRow, toBatch } from './batch-row.js';

/** A batch whose lines may be sent. */
export interface RunnableBatch {
  readonly id: string;
  readonly walletId: string;
  /** Of the key that made it. */
  readonly tokenId: string;
  readonly keyHash: string;
  readonly api: Batch['api'];
  readonly endpoint: string;
  /** What goes with every line. */
  readonly headers: Readonly<Record<string, string>>;
  readonly expiresAt: Date;
}

/** A line that this worker sends. */
export interface ClaimedLine {
  readonly batch: RunnableBatch;
  readonly line: number;
  /** From 1 on. */
  readonly attempt: number;
  /** `undefined` where it was encrypted with a key that is gone. */
  readonly request: LineRequest | undefined;
  /** Whether it is nothing but a call: it was sent as one before, or its provider has not carried it out. */
  readonly isCall: boolean;
  /** Whether lines of its batch may be sent that never were. */
  readonly isOpen: boolean;
  /** Under which it was offered to a provider. */
  readonly requestId: string | undefined;
}

/** A line of a batch that is finished: its result, or its request where it was never made. */
export interface EndedLine {
  readonly line: number;
  readonly state: 'open' | 'succeeded' | 'failed';
  /** `undefined` where it was encrypted with a key that is gone. */
  readonly text: Buffer | undefined;
}

/** How a batch ended. */
export interface BatchEnd {
  readonly state: 'completed' | 'cancelled' | 'expired';
  readonly cancelled: number;
  readonly expired: number;
  readonly outputFileId: string | undefined;
  readonly errorFileId: string | undefined;
}

/** For how long a claim stands without being renewed. */
const CLAIM_SECONDS = 30;
const RUNNABLE_AT_ONCE = 64;
/** From so long before the end of their day on, lines are made as calls: a provider may take its time. */
const LATE_HOURS = 6;
/** Lines that are read together. */
const LINES_AT_ONCE = 200;
const BYTES_AT_ONCE = 4 * 1024 * 1024;

interface ClaimedRow extends LineRow {
  readonly is_call: boolean;
  readonly is_open: boolean;
  readonly request_id: string | null;
}

interface LineRow {
  readonly line: number;
  readonly attempts: number;
  /** `null` where it is long. */
  readonly sealed: string | null;
}

/**
 * Batches as workers see them. Whatever a worker does is claimed first, for half a minute unless it is renewed, so that no two
 * do the same and what a dead one did is free soon.
 */
export class BatchWork {
  readonly #steps: SealingSteps;

  /**
   * @param worker name of this process; another life of the same process has another one.
   * @param pause is waited for between steps of encrypting and decrypting lines.
   */
  constructor(
    private readonly database: DataSource,
    key: SecretKey,
    private readonly worker: string,
    pause: () => Promise<void> = setImmediate,
  ) {
    this.#steps = { key, pause };
  }

  /**
   * Claims a batch that is to be validated, or finished: all of its lines are over, or the others are not to be sent any more.
   * A line of unknown outcome is in the way of that: it is asked for until it is known.
   */
  async claimBatch(): Promise<Batch | undefined> {
    const [[row]] = await this.database.query<[BatchRow[], number]>(
      `update batch set claimed_by = $1, claimed_until = now() + interval '${CLAIM_SECONDS} seconds',
              state = case when state = 'validating' then state else 'finalizing' end,
              finalizing_at = case when state = 'validating' then null else coalesce(finalizing_at, now()) end
        where id = (
          select b.id from batch b
           where b.ended_at is null and (b.claimed_until is null or b.claimed_until < now())
             and (b.state in ('validating', 'finalizing')
               or ((b.state = 'cancelling' or b.expires_at <= now() or b.succeeded + b.failed >= b.total)
                 and not exists (select from batch_line l
                                  where l.batch_id = b.id and l.state = 'open'
                                    and (l.claimed_by is not null or l.upstream_batch_id is not null))))
           order by b.created_at limit 1 for update skip locked)
        returning ${BATCH_COLUMNS}`,
      [this.worker],
    );
    return row && toBatch(row);
  }

  /** Prolongs what this worker has claimed and still works on; what it has failed to keep is free once its claim is over. */
  async renew(batchId: string | undefined, lines: readonly LinePlace[]): Promise<void> {
    if (batchId === undefined && lines.length === 0) return;
    await this.database.query(
      `with lines as (
         update batch_line l set claimed_until = now() + interval '${CLAIM_SECONDS} seconds'
           from unnest($3::text[], $4::int[]) as mine (batch_id, line)
          where l.batch_id = mine.batch_id and l.line = mine.line and l.claimed_by = $1)
       update batch set claimed_until = now() + interval '${CLAIM_SECONDS} seconds' where claimed_by = $1 and id = $2`,
      [this.worker, batchId ?? null, lines.map((line) => line.batchId), lines.map(({ line }) => line)],
    );
  }

  /** Lets another worker have what this one has claimed: it stops. */
  async release(): Promise<void> {
    await this.database.query(
      `with lines as (update batch_line set claimed_until = now() where claimed_by = $1)
       update batch set claimed_until = now() where claimed_by = $1 and ended_at is null`,
      [this.worker],
    );
  }

  /** Begins the lines of a batch anew: of a worker that was lost meanwhile some may be there. */
  async clearLines(batchId: string): Promise<void> {
    await this.database.query('delete from batch_line where batch_id = $1', [batchId]);
  }

  async addLines(batchId: string, first: number, requests: readonly LineRequest[]): Promise<void> {
    await insertLines(
      this.database.manager,
      { batchId, first, texts: requests.map(writeRequest) },
      this.#steps,
    );
  }

  /** Has the lines of a batch sent from now on; unless it was called off meanwhile. */
  async begin(batchId: string, total: number): Promise<void> {
    await this.database.query(
      `update batch set state = 'in_progress', in_progress_at = now(), total = $3, claimed_by = null, claimed_until = null
        where id = $1 and state = 'validating' and claimed_by = $2`,
      [batchId, this.worker, total],
    );
    await this.database.query(
      `update batch set claimed_by = null, claimed_until = null where id = $1 and claimed_by = $2`,
      [batchId, this.worker],
    );
  }

  async fail(batchId: string, errors: readonly BatchFault[]): Promise<void> {
    await this.database.query(
      `update batch set state = 'failed', errors = $3, ended_at = now(), claimed_by = null, claimed_until = null
        where id = $1 and state = 'validating' and claimed_by = $2`,
      [batchId, this.worker, JSON.stringify(errors)],
    );
    await this.clearLines(batchId);
  }

  /** One batch of each wallet that has lines to send, those first that have waited longest for their turn. */
  async findRunnable(): Promise<RunnableBatch[]> {
    const rows = await this.database.query<
      (BatchRow & Pick<RunnableBatch, 'headers'> & { readonly token_id: string })[]
    >(
      `select * from (
         select distinct on (wallet_id) id, wallet_id, token_id, key_hash, api, endpoint, headers, expires_at, served_at from batch
          where ended_at is null and state in ('in_progress', 'cancelling') and next_run_at <= now()
          order by wallet_id, served_at) one
       order by served_at limit $1`,
      [RUNNABLE_AT_ONCE],
    );
    return rows.map(({ id, wallet_id, token_id, key_hash, api, endpoint, headers, expires_at }) => ({
      id,
      walletId: wallet_id,
      tokenId: token_id,
      keyHash: key_hash,
      api,
      endpoint,
      headers,
      expiresAt: expires_at,
    }));
  }

  /**
   * Claims lines of a batch: those that are due, and those whose worker was lost, whatever became of the batch - they may have
   * been charged. The batch is locked meanwhile, so that nobody finishes it.
   */
  async claimLines(batch: RunnableBatch, limit: number): Promise<ClaimedLine[]> {
    const [rows] = await this.database.query<[ClaimedRow[], number]>(
      `with owner as (
         select id, state = 'in_progress' and expires_at > now() as is_open,
                expires_at < now() + interval '${LATE_HOURS} hours' as is_late from batch
          where id = $1 and state in ('in_progress', 'cancelling') for update),
       served as (update batch set served_at = now() from owner where batch.id = owner.id),
       due as (
         select l.line, l.claimed_by is not null or l.is_call or owner.is_late as is_call, owner.is_open
           from batch_line l, owner
          where l.batch_id = owner.id and l.state = 'open' and l.upstream_batch_id is null
            and (l.next_run_at <= now() or (l.waits_for is not null and owner.is_late))
            and ((l.claimed_by is null and owner.is_open) or (l.claimed_by is not null and l.claimed_until < now()))
          order by l.next_run_at, l.line limit $3 for update of l skip locked)
       update batch_line l
          set claimed_by = $2, claimed_until = now() + interval '${CLAIM_SECONDS} seconds', attempts = l.attempts + 1
         from due where l.batch_id = $1 and l.line = due.line
       returning l.line, l.attempts, ${IF_SHORT('l.sealed')} as sealed, l.request_id, due.is_call, due.is_open`,
      [batch.id, this.worker, limit],
    );
    const claimed: ClaimedLine[] = [];
    const pace = new SealingPace(this.#steps);
    for (const { line, attempts, sealed, request_id, is_call, is_open } of rows) {
      await pace.next(sealed?.length ?? 0);
      const text = await this.#open(sealed, { batchId: batch.id, line }, 'open');
      claimed.push({
        batch,
        line,
        attempt: attempts,
        request: text && readRequest(text),
        isCall: is_call,
        isOpen: is_open,
        requestId: request_id ?? undefined,
      });
    }
    return claimed;
  }

  /**
   * Keeps the result of a line, and counts it once.
   *
   * @param result in pieces, a JSON object without a line break.
   */
  async endLine(
    { batchId, line }: LinePlace,
    state: 'succeeded' | 'failed',
    result: readonly Buffer[],
  ): Promise<void> {
    const sealed = await sealLineToBytes(result, { batchId, line }, this.#steps);
    await this.database.query(
      `with ended as (
         update batch_line set state = $3, sealed = convert_from($4::bytea, 'UTF8'), claimed_by = null, claimed_until = null,
                upstream_sealed = null
          where batch_id = $1 and line = $2 and state = 'open' returning 1)
       update batch set succeeded = succeeded + case when $3 = 'succeeded' then 1 else 0 end,
              failed = failed + case when $3 = 'failed' then 1 else 0 end
        where id = $1 and exists (select from ended)`,
      [batchId, line, state, sealed],
    );
  }

  /**
   * Has a line sent again later.
   *
   * @param isKnown whether it certainly was not carried out; otherwise it is asked for until that is known.
   * @param isCounted whether it counts among the attempts of the line.
   */
  async postpone(
    { batch, line }: ClaimedLine,
    { seconds, isKnown, isCounted }: { seconds: number; isKnown: boolean; isCounted: boolean },
  ): Promise<void> {
    await this.database.query(
      `update batch_line
          set next_run_at = now() + make_interval(secs => $3), attempts = attempts - $5,
              claimed_by = case when $4 then null else claimed_by end, claimed_until = case when $4 then null else now() end
        where batch_id = $1 and line = $2 and state = 'open'`,
      [batch.id, line, seconds, isKnown, isCounted ? 0 : 1],
    );
  }

  /** Sends no further line of a batch for a while: its key has met a limit. */
  async pause(batchId: string, seconds: number): Promise<void> {
    await this.database.query(
      'update batch set next_run_at = greatest(next_run_at, now() + make_interval(secs => $2)) where id = $1',
      [batchId, seconds],
    );
  }

  /** How many lines of a batch have no result. */
  async countOpen(batchId: string): Promise<number> {
    const [row] = await this.database.query<{ open: number }[]>(
      `select count(*)::int as open from batch_line where batch_id = $1 and state = 'open'`,
      [batchId],
    );
    return row?.open ?? 0;
  }

  /** The lines of a batch in their order, from the one after `after` on: as many as memory has room for. */
  async readLines(batchId: string, after: number): Promise<EndedLine[]> {
    const rows = await this.database.query<(LineRow & Pick<EndedLine, 'state'>)[]>(
      `select line, state, ${IF_SHORT('sealed')} as sealed from (
         select line, state, sealed, sum(octet_length(sealed)) over (order by line) - octet_length(sealed) as before
           from (select * from batch_line where batch_id = $1 and line > $2 order by line limit ${LINES_AT_ONCE}) page
       ) sized where before < ${BYTES_AT_ONCE} order by line`,
      [batchId, after],
    );
    const lines: EndedLine[] = [];
    const pace = new SealingPace(this.#steps);
    for (const { line, state, sealed } of rows) {
      await pace.next(sealed?.length ?? 0);
      lines.push({ line, state, text: await this.#open(sealed, { batchId, line }, state) });
    }
    return lines;
  }

  /**
   * Carries out a step of the end of a batch, in a transaction in which nobody else can take the batch over.
   *
   * @throws Error when this worker has lost its claim, or the batch has ended; the step is not carried out then.
   */
  whileClaimed<Result>(batchId: string, step: (manager: EntityManager) => Promise<Result>): Promise<Result> {
    return this.database.transaction(async (manager) => {
      const claimed = await manager.query<unknown[]>(
        'select from batch where id = $1 and claimed_by = $2 and ended_at is null for update',
        [batchId, this.worker],
      );
      if (claimed.length === 0) throw new Error('The batch was taken over by another worker.');
      return step(manager);
    });
  }

  /** Ends a batch whose files are written; its lines are in them. */
  async end(
    batchId: string,
    { state, cancelled, expired, outputFileId, errorFileId }: BatchEnd,
  ): Promise<void> {
    const [, ended] = await this.database.query<[unknown[], number]>(
      `update batch set state = $3, cancelled = $4, expired = $5, total = succeeded + failed + $4 + $5,
              output_file_id = $6, error_file_id = $7, ended_at = now(), claimed_by = null, claimed_until = null
        where id = $1 and claimed_by = $2 and ended_at is null`,
      [batchId, this.worker, state, cancelled, expired, outputFileId ?? null, errorFileId ?? null],
    );
    if (ended > 0) await this.clearLines(batchId);
  }

  /** @param given `null` for a long text, which is read now. */
  async #open(
    given: string | null,
    place: LinePlace,
    state: EndedLine['state'],
  ): Promise<Buffer | undefined> {
    const sealed = given ?? (await readLong(this.database, place, { column: 'sealed', state }));
    if (sealed === undefined) return undefined;
    try {
      return await openLine(sealed, place, this.#steps);
    } catch (error) {
      if (error instanceof SecretError) return undefined;
      throw error;
    }
  }
}
