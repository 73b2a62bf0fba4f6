import { setImmediate } from 'node:timers/promises';
import { newId } from '@mg/contract';
import type { DataSource } from 'typeorm';
import { IF_SHORT } from '../secrets/long-texts.js';
import { SealingPace, type SealingSteps } from '../secrets/seal-in-steps.js';
import { SecretError, type SecretKey } from '../secrets/seal-secret.js';
import {
  type LinePlace,
  type LineRequest,
  nameUpstream,
  openLine,
  readLong,
  readRequest,
  sealLineToBytes,
} from './batch-lines.js';
import {
  toUpstreamBatch,
  UPSTREAM_BATCH_COLUMNS,
  type UpstreamBatch,
  type UpstreamBatchRow,
} from './upstream-batch-row.js';

/** The channel, the key and the model of a provider's batch. */
export interface UpstreamRoute {
  readonly channelId: string;
  readonly keyFingerprint: string;
  readonly upstreamModel: string;
}

/** A line that a provider is to carry out. */
export interface OfferedLine {
  readonly batchId: string;
  readonly line: number;
  readonly walletId: string;
  readonly route: UpstreamRoute;
  /** Path that it is sent to, below the versioned base address. */
  readonly endpoint: string;
  /** Kept for its settlement. */
  readonly held: object;
  /** What the provider is sent. */
  readonly bytes: Buffer;
}

/** A line that a provider has, or is about to be sent. */
export interface UpstreamLine {
  readonly line: number;
  readonly requestId: string;
  readonly isOpen: boolean;
  readonly held: unknown;
  /** `undefined` where it was encrypted with a key that is gone. */
  readonly request: LineRequest | undefined;
}

/** How a provider's batch ended, for operators. */
export type UpstreamOutcome =
  | 'completed'
  | 'cancelled'
  | 'expired'
  | 'failed'
  | 'refused'
  | 'lost'
  | 'key_disabled'
  | 'called_off';

const CLAIM_SECONDS = 30;
/** So that what is held for a provider's batch does not freeze a wallet for a day. */
const MOST_LINES = 2_000;
/** It is uploaded in one piece, which lies in memory. */
const MOST_BYTES = 32 * 1024 * 1024;
/** Lines that are read together. */
const LINES_AT_ONCE = 50;

/** Batches at providers, as workers see them. Each step of one is claimed first, as those of batches are. */
export class UpstreamBatches {
  readonly #steps: SealingSteps;

  /** @param worker name of this life of this process. */
  constructor(
    private readonly database: DataSource,
    key: SecretKey,
    private readonly worker: string,
  ) {
    this.#steps = { key, pause: setImmediate };
  }

  /** Notes under which id a claimed line is offered to a provider, before anything is held for it; `undefined` that it is not. */
  async noteRequest({ batchId, line }: LinePlace, requestId: string | undefined): Promise<void> {
    await this.database.query(
      'update batch_line set request_id = $3 where batch_id = $1 and line = $2 and claimed_by = $4',
      [batchId, line, requestId ?? null, this.worker],
    );
  }

  /** Channels, keys and models for which lines of a batch have to wait: another batch of the wallet is in progress there. */
  async listBusy(walletId: string, batchId: string): Promise<UpstreamRoute[]> {
    const rows = await this.database.query<
      { channel_id: string; key_fingerprint: string; upstream_model: string }[]
    >(
      `select channel_id, key_fingerprint, upstream_model from upstream_batch
        where wallet_id = $1 and ended_at is null
          and not (batch_id = $2 and state = 'gathering' and lines < ${MOST_LINES} and bytes < ${MOST_BYTES}) limit 50`,
      [walletId, batchId],
    );
    return rows.map((row) => ({
      channelId: row.channel_id,
      keyFingerprint: row.key_fingerprint,
      upstreamModel: row.upstream_model,
    }));
  }

  /**
   * Adds a claimed line, which is held for, to the batch that gathers for its channel, key and model, if that is for its path.
   *
   * @returns whether there was room; otherwise it is still claimed.
   */
  async park({ batchId, line, walletId, route, endpoint, held, bytes }: OfferedLine): Promise<boolean> {
    const sealed = await sealLineToBytes([bytes], nameUpstream({ batchId, line }), this.#steps);
    const [, parked] = await this.database.query<[unknown[], number]>(
      `with target as (
         insert into upstream_batch as u (id, batch_id, wallet_id, channel_id, key_fingerprint, upstream_model, endpoint,
           lines, bytes)
         values ($1, $2, $4, $5, $6, $11, $12, 1, $8)
         on conflict (wallet_id, channel_id, key_fingerprint, upstream_model) where ended_at is null do update
            set lines = u.lines + 1, bytes = u.bytes + excluded.bytes
          where u.batch_id = excluded.batch_id and u.state = 'gathering' and u.endpoint = excluded.endpoint
            and u.lines < ${MOST_LINES} and u.bytes + excluded.bytes <= ${MOST_BYTES}
         returning u.id)
       update batch_line l set upstream_batch_id = target.id, held = $7, upstream_sealed = convert_from($9::bytea, 'UTF8'), claimed_by = null, claimed_until = null,
              next_run_at = 'infinity'
         from target where l.batch_id = $2 and l.line = $3 and l.claimed_by = $10 and l.state = 'open'`,
      [
        newId(),
        batchId,
        line,
        walletId,
        route.channelId,
        route.keyFingerprint,
        JSON.stringify(held),
        bytes.length,
        sealed,
        this.worker,
        route.upstreamModel,
        endpoint,
      ],
    );
    return parked === 1;
  }

  /** Has a claimed line, for which nothing is held, wait for the end of the batch in progress there, or try again soon. */
  async waitFor({ batchId, line }: LinePlace, walletId: string, route: UpstreamRoute): Promise<void> {
    await this.database.query(
      `with busy as (
         select id from upstream_batch
          where wallet_id = $3 and channel_id = $4 and key_fingerprint = $5 and upstream_model = $8 and ended_at is null for share)
       update batch_line set request_id = null, claimed_by = null, claimed_until = null, attempts = attempts - 1,
              next_run_at = case when exists (select from busy) then 'infinity' else now() + interval '1 second' end,
              waits_for = case when exists (select from busy) then $6 end
        where batch_id = $1 and line = $2 and claimed_by = $7`,
      [
        batchId,
        line,
        walletId,
        route.channelId,
        route.keyFingerprint,
        nameRoute(route),
        this.worker,
        route.upstreamModel,
      ],
    );
  }

  /** Gives up a claimed line that was not sent. */
  async putBack({ batchId, line }: LinePlace): Promise<void> {
    await this.database.query(
      `update batch_line set request_id = null, claimed_by = null, claimed_until = null
        where batch_id = $1 and line = $2 and claimed_by = $3`,
      [batchId, line, this.worker],
    );
  }

  /** Claims a batch whose next step is due. */
  async claim(): Promise<UpstreamBatch | undefined> {
    const [[row]] = await this.database.query<[UpstreamBatchRow[], number]>(
      `update upstream_batch u set claimed_by = $1, claimed_until = now() + interval '${CLAIM_SECONDS} seconds'
         from batch b
        where b.id = u.batch_id and u.id = (
          select d.id from upstream_batch d
           where d.ended_at is null and d.next_run_at <= now() and (d.claimed_until is null or d.claimed_until < now())
           order by d.next_run_at limit 1 for update skip locked)
        returning ${UPSTREAM_BATCH_COLUMNS}`,
      [this.worker],
    );
    return row && toUpstreamBatch(row);
  }

  /** Prolongs the claim of what this worker still works on. */
  async renew(id: string): Promise<void> {
    await this.database.query(
      `update upstream_batch set claimed_until = now() + interval '${CLAIM_SECONDS} seconds' where id = $1 and claimed_by = $2`,
      [id, this.worker],
    );
  }

  /** Ends a step: the next one is due after so long. */
  async postpone(id: string, seconds: number, hasFailed = false): Promise<void> {
    await this.database.query(
      `update upstream_batch set next_run_at = now() + make_interval(secs => $2), claimed_by = null, claimed_until = null,
              failures = case when $4 then least(failures + 1, 1000) else 0 end
        where id = $1 and claimed_by = $3`,
      [id, seconds, this.worker, hasFailed],
    );
  }

  /** Takes no further line. @returns whether this worker still has it. */
  beginUpload(id: string): Promise<boolean> {
    return this.#advance(id, `state = 'uploading'`, `state in ('gathering', 'uploading')`);
  }

  /**
   * Notes the uploaded file, if there is one, and that the request that creates the batch is about to be sent. Nobody sends a
   * second one while that stands.
   */
  beginCreate(id: string, fileId: string | undefined): Promise<boolean> {
    return this.#advance(
      id,
      `state = 'creating', creating_since = now(), file_id = $3`,
      `state in ('uploading', 'creating')`,
      [fileId ?? null],
    );
  }

  /** The request that creates it was answered: for certain, it made none. */
  noteNotCreated(id: string): Promise<boolean> {
    return this.#advance(id, `state = 'uploading', creating_since = null`, `state = 'creating'`);
  }

  /** Which of these batches at providers are not known to be one of ours. */
  async listUnknown(upstreamIds: readonly string[]): Promise<string[]> {
    const rows = await this.database.query<{ id: string }[]>(
      'select a.id from unnest($1::text[]) as a (id) where not exists (select from upstream_batch u where u.upstream_id = a.id)',
      [upstreamIds],
    );
    return rows.map(({ id }) => id);
  }

  /** How many lines of a batch have no result yet. */
  async countLines({ id, batchId }: UpstreamBatch): Promise<number> {
    const [row] = await this.database.query<{ open: number }[]>(
      `select count(*)::int as open from batch_line where batch_id = $1 and upstream_batch_id = $2 and state = 'open'`,
      [batchId, id],
    );
    return row?.open ?? 0;
  }

  /** The provider has it. What was uploaded is not needed any more. */
  async noteCreated(id: string, upstreamId: string): Promise<boolean> {
    const isOurs = await this.#advance(
      id,
      `state = 'running', upstream_id = $3, failures = 0`,
      `state = 'creating'`,
      [upstreamId],
    );
    if (isOurs) {
      await this.database.query(
        'update batch_line set upstream_sealed = null where batch_id = (select batch_id from upstream_batch where id = $1) and upstream_batch_id = $1',
        [id],
      );
    }
    return isOurs;
  }

  noteCancelled(id: string): Promise<boolean> {
    return this.#advance(id, 'cancelled_at = now()', 'true');
  }

  /** Ends a batch none of whose lines it still has. Those that waited for it may go on, as many as the next one has room for. */
  async end(batch: UpstreamBatch, outcome: UpstreamOutcome): Promise<void> {
    await this.database.transaction(async (manager) => {
      const [, ended] = await manager.query<[unknown[], number]>(
        `update upstream_batch set state = 'ended', ended_at = now(), outcome = $3
          where id = $1 and claimed_by = $2 and ended_at is null`,
        [batch.id, this.worker, outcome],
      );
      if (ended === 0) return;
      // Lines that have begun to wait by now are seen: a line that is about to waits for the row above.
      await manager.query(
        `update batch_line set waits_for = null, next_run_at = now() where (batch_id, line) in (
           select l.batch_id, l.line from batch_line l join batch b on b.id = l.batch_id
            where b.wallet_id = $1 and b.ended_at is null and l.waits_for = $2
            order by b.created_at, l.line limit ${MOST_LINES})`,
        [batch.parent.walletId, nameRoute(batch)],
      );
    });
  }

  async #advance(
    id: string,
    change: string,
    condition: string,
    values: readonly unknown[] = [],
  ): Promise<boolean> {
    const [, changed] = await this.database.query<[unknown[], number]>(
      `update upstream_batch set ${change} where id = $1 and claimed_by = $2 and ${condition}`,
      [id, this.worker, ...values],
    );
    return changed === 1;
  }

  /** Lines of a batch that have no result yet, page by page, in their order. */
  async listLines({ id, batchId }: UpstreamBatch, after: number): Promise<UpstreamLine[]> {
    return this.#readLines(batchId, `upstream_batch_id = $2 and line > $3 and state = 'open'`, [id, after]);
  }

  /** The line that a result is of; `undefined` where this batch has no such line. */
  async findLine(
    { id, batchId }: UpstreamBatch,
    line: number,
    requestId: string,
  ): Promise<UpstreamLine | undefined> {
    const values = [id, line, requestId];
    const condition = 'upstream_batch_id = $2 and line = $3 and request_id = $4';
    return (await this.#readLines(batchId, condition, values))[0];
  }

  async #readLines(batchId: string, condition: string, values: readonly unknown[]): Promise<UpstreamLine[]> {
    const rows = await this.database.query<
      { line: number; request_id: string; is_open: boolean; held: unknown; sealed: string | null }[]
    >(
      `select line, request_id, state = 'open' as is_open, held, case when state = 'open' then ${IF_SHORT('sealed')} end as sealed
         from batch_line where batch_id = $1 and ${condition} order by line limit ${LINES_AT_ONCE}`,
      [batchId, ...values],
    );
    const lines: UpstreamLine[] = [];
    const pace = new SealingPace(this.#steps);
    for (const { line, request_id, is_open, held, sealed } of rows) {
      await pace.next(sealed?.length ?? 0);
      const text = is_open ? await this.#openRequest(sealed, { batchId, line }) : undefined;
      lines.push({ line, requestId: request_id, isOpen: is_open, held, request: text && readRequest(text) });
    }
    return lines;
  }

  /** What a provider is sent for a line; `undefined` where it cannot be decrypted any more. */
  async readUpload({ batchId }: UpstreamBatch, line: number): Promise<Buffer | undefined> {
    const place = { batchId, line };
    const sealed = await readLong(this.database, place, { column: 'upstream_sealed', state: 'open' });
    return sealed === undefined ? undefined : this.#open(sealed, nameUpstream(place));
  }

  /** @param given `null` for a long text, which is read now. */
  async #openRequest(given: string | null, place: LinePlace): Promise<Buffer | undefined> {
    const sealed = given ?? (await readLong(this.database, place, { column: 'sealed', state: 'open' }));
    return sealed === undefined ? undefined : this.#open(sealed, place);
  }

  /**
   * Takes a line that its provider has not carried out, and for which nothing is held any more, out of the batch: it is made as
   * a call, if its batch is not over.
   */
  async freeLine({ batchId }: UpstreamBatch, line: number): Promise<void> {
    await this.database.query(
      `update batch_line set upstream_batch_id = null, request_id = null, held = null, upstream_sealed = null, is_call = true,
              next_run_at = now()
        where batch_id = $1 and line = $2 and state = 'open'`,
      [batchId, line],
    );
  }

  async #open(sealed: string | Buffer, place: LinePlace): Promise<Buffer | undefined> {
    try {
      return await openLine(sealed, place, this.#steps);
    } catch (error) {
      if (error instanceof SecretError) return undefined;
      throw error;
    }
  }
}

function nameRoute({ channelId, keyFingerprint, upstreamModel }: UpstreamRoute): string {
  return `${channelId} ${keyFingerprint} ${upstreamModel}`;
}
