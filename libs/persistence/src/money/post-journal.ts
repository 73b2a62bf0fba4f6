import type { DataSource } from 'typeorm';
import { JournalPricer, type PricedRow, type WaitingRow } from './price-journal-rows.js';
import { retryConflicts } from './retry-conflicts.js';
import type { SettleOutcome } from './wallet-ledger.js';

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
}

interface PostRow {
  readonly request_id: string;
  readonly outcome: PostOutcome | 'busy';
  readonly failure: string | null;
}

/** For how long one batch waits for locked wallets, all in all; the rows of those that are left are tried again later. */
const WAIT_FOR_WALLETS_MS = 500;

const READ_WAITING = `
  select j.request_id, j.seq, j.phase, j.usage, j.estimated, coalesce(h.wallet_id, j.wallet_id) as wallet_id,
         j.lease_id,
         p.id as price_version_id, p.price, extract(epoch from clock_timestamp() - j.created_at)::float8 as age
    from usage_journal j
    left join hold h on h.id = j.request_id
    left join price_version p on p.id = coalesce(h.price_version_id, j.price_version_id)
   where j.posted_at is null and (j.retry_at is null or j.retry_at <= now())
   order by j.created_at, j.request_id, j.seq
   limit $1`;

const POST = 'select request_id, outcome, failure from post_usage($1::jsonb, $2, $3)';
const POST_LEASED = 'select request_id, outcome, failure from post_leased_usage($1::jsonb, $2, $3)';

/**
 * Turns the journal into money: reads rows, prices them, posts them. Rows are locked only within the one statement that
 * posts them, so a process that stops between two steps holds up nobody.
 */
export class JournalLedger {
  readonly #pricer = new JournalPricer();

  constructor(private readonly database: DataSource) {}

  /** Posts the oldest rows that wait. A locked wallet holds up its own rows only. */
  async postWaiting(options: PostOptions): Promise<PostedBatch> {
    const waiting = await this.database.query<JournalItem[]>(READ_WAITING, [options.limit]);
    if (waiting.length === 0) return { taken: 0, lagSeconds: 0, rows: [] };
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
      taken: waiting.length,
      lagSeconds: waiting.reduce((oldest, row) => Math.max(oldest, row.age), 0),
      rows: [...rows, ...later].flatMap(({ request_id: requestId, outcome, failure }) =>
        outcome === 'busy' ? [] : [{ requestId, outcome, failure: failure ?? undefined }],
      ),
    };
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
      ]),
    );
  }
}
