import { setImmediate } from 'node:timers/promises';
import { omitUndefined } from '@mg/contract';
import type { DataSource } from 'typeorm';
import {
  JournalPricer,
  listOtherVersions,
  type PricedWaste,
  type PricedRow,
  type PriceVersion,
  type WaitingRow,
} from './price-journal-rows.js';
import { retryConflicts } from './retry-conflicts.js';
import type { SettleOutcome } from './wallet-ledger.js';
import { type BookedWaste, WasteLedger } from './waste-ledger.js';

/** What became of a request in a batch: settled, or to be tried again since it failed for a reason that passes. */
export type PostOutcome = SettleOutcome | 'postponed';

/** One request of a posted batch, and what became of it. */
export interface PostedRow {
  readonly requestId: string;
  readonly outcome: PostOutcome;
  readonly failure: string | undefined;
}

export interface PostedBatch {
  /** Journal rows read; fewer than the limit means that no more were waiting. */
  readonly taken: number;
  /** Age of the oldest row read, in seconds, on Postgres's clock. */
  readonly lagSeconds: number;
  readonly rows: readonly PostedRow[];
  /** Wasted attempts that these rows reported and that were booked just now. */
  readonly waste: readonly BookedWaste[];
  /** Why waste could not be booked: the calls are charged all the same, and the ledger of waste keeps the estimate. */
  readonly wasteFailure?: Error;
}

export interface PostOptions {
  /** Journal rows at most. */
  readonly limit: number;
  /** Waits for rows that another plane is posting, instead of leaving them to it. */
  readonly wait: boolean;
}

interface JournalItem extends WaitingRow {
  readonly wallet_id: string | null;
  readonly age: number;
  /** Whether the call was given up as lost before this row came. */
  readonly is_expired: boolean | null;
}

interface PostRow {
  readonly request_id: string;
  readonly outcome: PostOutcome | 'busy';
  readonly failure: string | null;
}

/** Rows whose wasted attempts, several of each, are priced in one step. */
const PRICED_AT_ONCE = 50;
/** For how long one batch waits for locked wallets, all in all; the rows of those that are left are tried again later. */
const WAIT_FOR_WALLETS_MS = 500;

const READ_WAITING = `
  select j.request_id, j.seq, j.phase, j.usage, j.estimated, coalesce(h.wallet_id, j.wallet_id) as wallet_id,
         p.id as price_version_id, p.price, p.model_slug as model, j.waste, h.state = 'expired' as is_expired,
         j.lease_id, extract(epoch from clock_timestamp() - j.created_at)::float8 as age
    from usage_journal j
    left join hold h on h.id = j.request_id
    left join price_version p on p.id = coalesce(h.price_version_id, j.price_version_id)
   where j.posted_at is null and (j.retry_at is null or j.retry_at <= now())
   order by j.created_at, j.request_id, j.seq
   limit $1`;

/**
 * Posts rows. A call that another process went on with, under its Idempotency-Key, has been logged by or for the lost one, at
 * no cost: that line of the statement follows what it is charged now.
 */
const writePost = (verb: 'post_usage' | 'post_leased_usage') => `
  with posted as materialized (select * from ${verb}($1::jsonb, $2, $3)),
  explained as (
    update request_log l set cost = p.charged, usage = i.usage, estimated = i.estimated
      from posted p
      join jsonb_to_recordset($1::jsonb) as i (request_id uuid, phase text, charge bigint, usage jsonb, estimated boolean)
        on i.request_id = p.request_id and i.phase = 'usage' and i.charge = p.charged
     where p.outcome = 'posted' and l.request_id = p.request_id and l.request_id = any ($4::uuid[])
       and l.reason in ('gateway_lost', 'refused'))
  select request_id, outcome, failure from posted`;
const POST = writePost('post_usage');
/** Of batches in which there are rows of leased calls. */
const POST_LEASED = writePost('post_leased_usage');

/**
 * Turns the journal into money: reads rows, prices them, posts them. Rows are locked only within the one statement that
 * posts them, so a process that stops between two steps blocks no other.
 */
export class JournalLedger {
  readonly #pricer = new JournalPricer();

  constructor(
    private readonly database: DataSource,
    private readonly waste = new WasteLedger(database),
  ) {}

  /** Posts the oldest rows that wait. A locked wallet holds up its own rows only. */
  async postWaiting(options: PostOptions): Promise<PostedBatch> {
    const waiting = await this.database.query<JournalItem[]>(READ_WAITING, [options.limit]);
    if (waiting.length === 0) return { taken: 0, lagSeconds: 0, rows: [], waste: [] };
    const waste = await this.#bookWaste(waiting);
    const walletOf = new Map(waiting.map((row) => [row.request_id, row.wallet_id]));
    const priced = waiting.map((row) => this.#pricer.priceRow(row));
    const isOneWallet = new Set(walletOf.values()).size === 1;
    const rows = await this.#post(priced, { waitRows: options.wait, waitWallets: isOneWallet });
    const busy = new Set(rows.flatMap((row) => (row.outcome === 'busy' ? [row.request_id] : [])));
    const later = await this.#postByWallet(
      Map.groupBy(
        priced.filter((row) => busy.has(row.request_id)),
        (row) => walletOf.get(row.request_id) ?? null,
      ),
    );
    return {
      ...waste,
      taken: waiting.length,
      lagSeconds: waiting.reduce((oldest, row) => Math.max(oldest, row.age), 0),
      rows: [...rows, ...later].flatMap(({ request_id: requestId, outcome, failure }) =>
        outcome === 'busy' ? [] : [{ requestId, outcome, failure: failure ?? undefined }],
      ),
    };
  }

  /**
   * Before the rows are posted: a process that stops in between books nothing twice, and loses nothing. Whatever becomes of it,
   * the calls are charged. A call that was given up as lost, and whose gateway tells its end after all, was not lost.
   */
  async #bookWaste(waiting: readonly JournalItem[]): Promise<Pick<PostedBatch, 'waste' | 'wasteFailure'>> {
    const [takenBack, booked] = await Promise.allSettled([
      this.#takeBackFound(waiting),
      this.#bookWasted(waiting),
    ]);
    const failed = [takenBack, booked].find((result) => result.status === 'rejected');
    return {
      waste: booked.status === 'fulfilled' ? booked.value : [],
      ...omitUndefined({ wasteFailure: failed ? toError(failed.reason) : undefined }),
    };
  }

  async #takeBackFound(waiting: readonly JournalItem[]): Promise<void> {
    const found = waiting.filter((row) => row.is_expired && row.phase !== 'checkpoint');
    if (found.length > 0) await this.waste.takeBackLostCalls(found.map((row) => row.request_id));
  }

  async #bookWasted(waiting: readonly JournalItem[]): Promise<BookedWaste[]> {
    const rows = waiting.filter((row) => row.waste !== null);
    const others = await this.#readVersions(listOtherVersions(rows));
    const wasted: PricedWaste[] = [];
    for (const [at, row] of rows.entries()) {
      if (at % PRICED_AT_ONCE === 0) await setImmediate();
      wasted.push(...this.#pricer.priceWaste(row, others));
    }
    return wasted.length > 0 ? this.waste.book(wasted) : [];
  }

  async #readVersions(ids: readonly string[]): Promise<ReadonlyMap<string, PriceVersion>> {
    if (ids.length === 0) return new Map();
    const versions = await this.database.query<PriceVersion[]>(
      'select id, price, model_slug as model from price_version where id = any ($1::uuid[])',
      [ids],
    );
    return new Map(versions.map((version) => [version.id, version]));
  }

  /** Each locked wallet by itself: while it is waited for, no other one is held. */
  async #postByWallet(groups: ReadonlyMap<string | null, readonly PricedRow[]>): Promise<PostRow[]> {
    const deadline = performance.now() + WAIT_FOR_WALLETS_MS;
    const posted: PostRow[] = [];
    for (const rows of groups.values()) {
      if (performance.now() < deadline) {
        posted.push(...(await this.#post(rows, { waitRows: false, waitWallets: true })));
      } else {
        const ids = rows.map((row) => row.request_id);
        await this.database.query('select postpone_usage($1::uuid[])', [ids]);
        posted.push(...ids.map((id) => ({ request_id: id, outcome: 'postponed' as const, failure: null })));
      }
    }
    return posted;
  }

  #post(
    rows: readonly PricedRow[],
    { waitRows, waitWallets }: { waitRows: boolean; waitWallets: boolean },
  ): Promise<PostRow[]> {
    return retryConflicts(() =>
      this.database.query<PostRow[]>(rows.some((row) => row.lease_id !== null) ? POST_LEASED : POST, [
        JSON.stringify(rows),
        waitRows,
        waitWallets,
        rows.map((row) => row.request_id),
      ]),
    );
  }
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
