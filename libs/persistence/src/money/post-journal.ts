import type { DataSource } from 'typeorm';
import { JournalPricer, type WaitingRow } from './price-journal-rows.js';
import { retryConflicts } from './retry-conflicts.js';
import type { SettleOutcome } from './wallet-ledger.js';

/** One request of a posted batch, and what became of it. */
export interface PostedRow {
  readonly requestId: string;
  readonly outcome: SettleOutcome;
  readonly failure: string | undefined;
}

export interface PostedBatch {
  /** Journal rows taken; fewer than asked for means that no more were waiting. */
  readonly taken: number;
  /** Age of the oldest row taken, in seconds, on Postgres's clock. */
  readonly lagSeconds: number;
  readonly rows: readonly PostedRow[];
}

const TAKE_ALL = `
  select j.request_id, j.seq, j.phase, j.usage, j.estimated, h.price_version_id, p.price,
         extract(epoch from clock_timestamp() - j.created_at)::float8 as age
    from usage_journal j
    left join hold h on h.id = j.request_id
    left join price_version p on p.id = h.price_version_id
   where j.posted_at is null
   order by j.created_at, j.request_id, j.seq
   limit $1
   for update of j`;
const TAKE_FREE = `${TAKE_ALL} skip locked`;

/** Turns the journal into money: takes rows, prices them, posts them, all in one transaction. */
export class JournalLedger {
  readonly #pricer = new JournalPricer();

  constructor(private readonly database: DataSource) {}

  /**
   * Posts the oldest rows that wait.
   *
   * @param options.wait - waits for rows that another plane is posting, instead of leaving them to it.
   */
  async postWaiting(options: { limit: number; wait: boolean }): Promise<PostedBatch> {
    return retryConflicts(() =>
      this.database.transaction(async (manager) => {
        const waiting = await manager.query<(WaitingRow & { age: number })[]>(
          options.wait ? TAKE_ALL : TAKE_FREE,
          [options.limit],
        );
        if (waiting.length === 0) return { taken: 0, lagSeconds: 0, rows: [] };
        const priced = waiting.map((row) => this.#pricer.priceRow(row));
        const rows = await manager.query<
          { request_id: string; outcome: SettleOutcome; failure: string | null }[]
        >('select request_id, outcome, failure from post_batch($1::jsonb)', [JSON.stringify(priced)]);
        return {
          taken: waiting.length,
          lagSeconds: waiting.reduce((oldest, row) => Math.max(oldest, row.age), 0),
          rows: rows.map((row) => ({
            requestId: row.request_id,
            outcome: row.outcome,
            failure: row.failure ?? undefined,
          })),
        };
      }),
    );
  }
}
